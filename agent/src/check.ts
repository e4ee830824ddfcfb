// `board-access-agent check`: tests the service and every board, and reports what works.
import type { CheckedConfig } from './config.ts';
import { messageOf } from './errors.ts';
import { hardwareOf } from './hardware-of.ts';
import { createService, type Fetch } from './link/service.ts';

/** Prints a line for the service and for each board. Returns whether all of them work. */
export async function checkBoards(
	config: CheckedConfig,
	fetch: Fetch,
	print: (line: string) => void,
): Promise<boolean> {
	const results = [await printResult(config.service, () => checkService(config, fetch), print)];
	for (const board of config.boards) {
		const name = `${board.id} (${board.type}, ${board.driver})`;
		results.push(
			await printResult(name, () => hardwareOf(board, config.state_file).check(), print),
		);
	}
	return results.every(Boolean);
}

async function checkService({ service, token = '' }: CheckedConfig, fetch: Fetch): Promise<string> {
	await createService(service, token, fetch).check();
	return 'accepts the token';
}

async function printResult(
	name: string,
	attempt: () => Promise<string>,
	print: (line: string) => void,
): Promise<boolean> {
	try {
		print(`ok      ${name}: ${await attempt()}`);
		return true;
	} catch (error) {
		print(`failed  ${name}: ${messageOf(error).replaceAll('\n', ' ')}`);
		return false;
	}
}
