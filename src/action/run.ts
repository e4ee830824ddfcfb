// Runs a step of a workflow, and the clean-up when its job ends.
import { type BoardAccess, isBoardAccessError } from 'board-access';
import { Reachability } from '../ci/reachability.ts';
import { createBaseImage, createKey, listBoards, revokeKey } from './commands.ts';
import { connect, type Fetch } from './connect.ts';
import { runFirmware } from './run-firmware.ts';
import type { Runner } from './runner.ts';

type Command = (client: BoardAccess, runner: Runner, reachability: Reachability) => Promise<void>;

const commands: Readonly<Record<string, Command>> = {
	'list-boards': listBoards,
	'create-key': createKey,
	'revoke-key': (client, runner) => revokeKey(client, runner),
	'create-base-image': createBaseImage,
	run: runFirmware,
};

/** Runs the step and returns the exit code. */
export function runStep(runner: Runner, fetch?: Fetch) {
	return attempt(runner, async () => {
		// In case the step fails early or is killed.
		if (runner.input('command') === 'run') runner.output('result', 'error');
		const reachability = new Reachability(({ message }) => runner.warning(message));
		const client = connect(runner, reachability.watching(fetch));
		await commandOf(runner)(client, runner, reachability);
	});
}

/** Revokes the key and releases the lease of the step, when the job ends. Returns the exit code. */
export function endJob(runner: Runner, fetch?: Fetch) {
	return attempt(runner, async () => {
		const keyId = runner.state('keyId');
		if (keyId !== '') await revokeKey(connect(runner, fetch), runner, keyId);
		const leaseId = runner.state('leaseId');
		if (leaseId === '') return;
		const lease = await connect(runner, fetch).leases.get(leaseId);
		await lease.release();
	});
}

function commandOf(runner: Runner) {
	const name = runner.input('command');
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (command) return command;
	throw new Error(`The input command must be one of ${Object.keys(commands).join(', ')}`);
}

function messageOf(error: unknown) {
	if (!isBoardAccessError(error)) return error instanceof Error ? error.message : String(error);
	const { message, hint, code } = error;
	const origin = error.name === 'ApiError' && `(${code}, request ID: ${error.requestId ?? 'none'})`;
	return [message, hint, origin].filter(Boolean).join('\n');
}

async function attempt(runner: Runner, work: () => Promise<void>) {
	try {
		await work();
		return 0;
	} catch (error) {
		runner.error(messageOf(error));
		return 1;
	}
}
