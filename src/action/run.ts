// Runs a step of a workflow, and the clean-up when its job ends.

import { readFileSync } from 'node:fs';
import { BoardAccess, isBoardAccessError, readApiKey, readBaseUrl } from 'board-access';
import { Reachability } from '../ci/reachability.ts';
import { createBaseImage, createKey, listBoards, revokeKey } from './commands.ts';
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

type Fetch = typeof globalThis.fetch;

function connect(runner: Runner, fetch: Fetch | undefined) {
	const key = find(runner, 'api-key', 'SERVICE_API_KEY');
	runner.mask(key.text);
	if (key.text.trim() === '') throw new Error(`No API key: ${whyNoKey(runner)}`);
	const apiKey = readApiKey(key.text, key.source);
	runner.mask(apiKey);
	const address = find(runner, 'base-url', 'SERVICE_BASE_URL');
	if (address.text.trim() === '') throw new Error(noAddress);
	return new BoardAccess({ apiKey, baseUrl: readBaseUrl(address.text, address.source), fetch });
}

const noAddress =
	'The address from SERVICE_BASE_URL is missing\nSet the input base-url or the variable SERVICE_BASE_URL.';

/** The value of the input or the variable, and its name. */
function find(runner: Runner, name: string, variable: string) {
	const text = runner.given(name);
	return text
		? { text, source: `the input ${name}` }
		: { text: runner.variable(variable), source: variable };
}

/** GitHub passes no secrets to some runs. */
function whyNoKey(runner: Runner) {
	if (isFromFork(runner)) {
		return 'this run is for a pull request from a fork, and GitHub passes no secrets to such runs. Skip the job for forks: if: github.event.pull_request.head.repo.full_name == github.repository';
	}
	if (runner.variable('GITHUB_ACTOR') === 'dependabot[bot]') {
		return 'Dependabot runs only get the Dependabot secrets.';
	}
	return 'pass the input api-key from a secret, and check that the secret exists.';
}

interface Side {
	/** Nothing where the repository was deleted. */
	repo: { full_name: string } | null;
}

function isFromFork(runner: Runner) {
	if (runner.variable('GITHUB_EVENT_NAME') !== 'pull_request') return false;
	try {
		const event: { pull_request: { head: Side; base: Side } } = JSON.parse(
			readFileSync(runner.variable('GITHUB_EVENT_PATH'), 'utf8'),
		);
		const { head, base } = event.pull_request;
		return head.repo?.full_name !== base.repo?.full_name;
	} catch {
		// Other runners may not write the event.
		return false;
	}
}
