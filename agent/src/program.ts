// The commands, and how an error is shown.
import { redact } from 'board-access-contract';
import { Command } from 'commander';
import { version } from '../package.json';
import { notAssigned, notConfigured } from './agent.ts';
import { type CheckedConfig, readConfig } from './config.ts';
import { messageOf } from './errors.ts';
import { hardwareOf } from './hardware-of.ts';
import { type AgentStatus, createService } from './link/service.ts';
import { requestDrain, start } from './operator.ts';
import { scan } from './scan.ts';

const failed = 1;

export async function runProgram(argv: readonly string[] = process.argv): Promise<void> {
	const program = new Command('board-access-agent')
		.description('drives boards for a Board Access Service')
		.version(version);
	const checks = 'test the service and every board, and report what works';
	addCommand(program, 'start', 'connect to the service and drive the boards').action(start);
	addCommand(program, 'check', checks).action(check);
	const scans = 'print a configuration for the boards that are plugged in';
	const newFile = 'write it to a new file';
	addCommand(program, 'scan', scans).option('--write <file>', newFile).action(scan);
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
	const asked = createService(service, token, fetch).check();
	await printResult(service, async () => `accepts the token${detailsOf(await asked)}`);
	const status = await asked.catch(() => undefined);
	for (const problem of status ? misfits(config, status) : []) printFailure(problem);
	for (const board of config.boards) {
		const name = `${board.id} (${board.type}, ${board.driver})`;
		// Without the state file, so that the tools and files of a running agent are left alone.
		await printResult(name, () => hardwareOf(board, undefined).check());
	}
}

function detailsOf(status: AgentStatus | undefined): string {
	if (!status) return ', but is too old to say which boards are assigned';
	return status.online ? `; an agent with this token is connected on ${status.host}` : '';
}

function misfits({ boards }: CheckedConfig, { boards: assigned }: AgentStatus): string[] {
	const own = boards.flatMap(({ id, type }) => {
		const known = assigned.find((board) => board.id === id);
		if (!known) return `${id}: ${notAssigned}, or has no board with this ID`;
		const { board_type: other } = known;
		return type === other ? [] : `${id}: its type is '${type}' here, and '${other}' in the service`;
	});
	const others = assigned.filter(({ id }) => !boards.some((board) => board.id === id));
	return [...own, ...others.map(({ id, name }) => `${id} (${name}): ${notConfigured}`)];
}

async function printResult(name: string, attempt: () => Promise<string>): Promise<void> {
	try {
		console.log(`ok      ${name}: ${await attempt()}`);
	} catch (error) {
		printFailure(`${name}: ${messageOf(error).replaceAll('\n', ' ')}`);
	}
}

function printFailure(text: string): void {
	console.log(`failed  ${text}`);
	process.exitCode = failed;
}
