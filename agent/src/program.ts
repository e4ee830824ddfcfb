// The commands, and how an error is shown.
import { redact } from 'board-access-contract';
import { Command } from 'commander';
import { version } from '../package.json';
import { readConfig } from './config.ts';
import { messageOf } from './errors.ts';
import { hardwareOf } from './hardware-of.ts';
import { createService } from './link/service.ts';
import { requestDrain, start } from './operator.ts';

const failed = 1;

export async function runProgram(argv: readonly string[] = process.argv): Promise<void> {
	const program = new Command('board-access-agent')
		.description('drives boards for a Board Access Service')
		.version(version);
	const checks = 'test the service and every board, and report what works';
	addCommand(program, 'start', 'connect to the service and drive the boards').action(start);
	addCommand(program, 'check', checks).action(check);
	const drains = 'let the running agent finish the leases on its boards, and stop';
	addCommand(program, 'drain', drains).action(requestDrain);
	try {
		await program.parseAsync(argv);
	} catch (error) {
		console.error(redact(messageOf(error)));
		process.exitCode = failed;
	}
}

function addCommand(program: Command, name: string, description: string): Command {
	return program
		.command(name)
		.description(description)
		.option('-c, --config <file>', 'configuration, YAML or JSON', 'board-access-agent.yaml');
}

async function check({ config: file }: { config: string }): Promise<void> {
	const config = await readConfig(file);
	const { service, token = '' } = config;
	const results = [
		await printResult(service, async () => {
			await createService(service, token, fetch).check();
			return 'accepts the token';
		}),
	];
	for (const board of config.boards) {
		const name = `${board.id} (${board.type}, ${board.driver})`;
		// Without the state file, so that the tools and files of a running agent are left alone.
		results.push(await printResult(name, () => hardwareOf(board, undefined).check()));
	}
	if (!results.every(Boolean)) process.exitCode = failed;
}

async function printResult(name: string, attempt: () => Promise<string>): Promise<boolean> {
	try {
		console.log(`ok      ${name}: ${await attempt()}`);
		return true;
	} catch (error) {
		console.log(`failed  ${name}: ${messageOf(error).replaceAll('\n', ' ')}`);
		return false;
	}
}
