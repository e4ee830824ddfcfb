// @module-tag long
// What happens to a lease and to the terminal when a command is killed from outside. Needs a build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isMissing, listen } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { openTerminal } from '../support/terminal.ts';

const command = fileURLToPath(new URL('../../bin/board-access.js', import.meta.url));
const boardId = 'brd_arduino-uno-01';
const run = ['run', sampleFirmwarePath('arduino-uno'), '--board', boardId, '--expect', 'never'];

let server: Awaited<ReturnType<typeof listen>>;
let client: BoardAccess;
let env: Record<string, string>;
beforeAll(async () => {
	server = await listen({ agent: true });
	const apiKey = server.demo?.apiKey ?? '';
	client = new BoardAccess({ baseUrl: server.baseUrl, apiKey });
	env = {
		PATH: process.env.PATH ?? '',
		SERVICE_BASE_URL: server.baseUrl,
		SERVICE_API_KEY: apiKey,
	};
});
afterAll(() => server.close());

/** The lease of a running command, once it has flashed its firmware. */
async function usedLease() {
	return vi.waitFor(
		async () => {
			const [lease] = await client.leases.list({ status: 'active' });
			if (!lease) throw new Error('There is no active lease');
			const actions = await (await client.leases.get(lease.id)).actions();
			expect(actions.at(-1)).toMatchObject({ phase: 'use', status: 'done' });
			return client.leases.get(lease.id);
		},
		{ timeout: 20_000, interval: 100 },
	);
}

type UsedLease = Awaited<ReturnType<typeof usedLease>>;

// Without a release it would expire, after two minutes.
const released = (lease: UsedLease) =>
	vi.waitFor(
		async () => {
			await lease.refresh();
			expect(lease.endReason).toBe('released');
		},
		{ timeout: 15_000, interval: 100 },
	);

/** A shell line that writes its process ID, and then becomes the command. */
const telling = (file: string, argv: readonly string[]) =>
	`sh -c 'echo $$ > "${file}"; exec ${process.execPath} ${command} ${argv.join(' ')}'`;

const pidIn = (file: string) =>
	vi.waitFor(async () => {
		const pid = Number(await readFile(file, 'utf8'));
		expect(pid).toBeGreaterThan(0);
		return pid;
	});

const gone = (pid: number) =>
	vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), {
		timeout: 15_000,
		interval: 100,
	});

describe('run', { timeout: 60_000 }, () => {
	it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('releases the board on %s', async (signal) => {
		const child = spawn(process.execPath, [command, ...run], { env, stdio: 'ignore' });
		const lease = await usedLease();
		child.kill(signal);
		expect(await once(child, 'exit')).toEqual([130, null]);
		await lease.refresh();
		expect(lease.endReason).toBe('released');
	});

	it('releases the board even if SIGHUP is repeated, as by a shell that exits', async () => {
		const child = spawn(process.execPath, [command, ...run], {
			env,
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		const messages = text(child.stderr);
		await usedLease();
		const repeating = setInterval(() => child.kill('SIGHUP'), 1);
		await once(child, 'exit');
		clearInterval(repeating);
		expect(await messages).toContain('Released the board');
	});

	const ticks = fileURLToPath(new URL('../../agent/firmware/uno-ticks.hex', import.meta.url));
	const failing = ['run', ticks, '--board', boardId, '--expect', 'never', '--fail', '"tick 4"'];

	/** The exit code of the command itself, and what it printed to standard error. */
	const inShell = async (argv: readonly string[], rest: string) => {
		const line = [process.execPath, command, ...argv, rest].join(' ');
		const shell = spawn('bash', ['-c', `set -o pipefail; ${line}`], { env, stdio: 'pipe' });
		const stderr = text(shell.stderr);
		const [exitCode] = await once(shell, 'exit');
		return { exitCode, stderr: await stderr };
	};

	it.each([
		['its console', '| head -2'],
		['its messages', '2>&1 >/dev/null | head -2'],
		['everything it prints', '2>&1 | head -2'],
		['its JSON', '--json | head -2'],
	])('finishes its test when the reader of %s exits', async (what, rest) => {
		const label = `without ${what}`;
		const { exitCode } = await inShell([...failing, '--label', `"${label}"`], rest);
		expect(exitCode).toBe(9);
		const [lease] = await client.leases.list();
		expect(lease).toMatchObject({ label, endReason: 'released' });
	});

	it.each([
		['fails', 9, failing],
		['passes', 1, ['run', ticks, '--board', boardId, '--expect', '"tick 2"']],
		['cannot begin', 2, ['run', 'none.hex', '--board', boardId, '--json']],
	])('says why its output is lost when its test %s', async (_, exitCode, argv) => {
		const ended = await inShell(argv, '> /dev/full');
		expect(ended.exitCode).toBe(exitCode);
		expect(ended.stderr).toContain('The output cannot be written: no space left on the device');
		expect(ended.stderr).not.toContain('Interrupted');
	});

	it.skipIf(isMissing('tmux'))('releases the board when its terminal closes', async () => {
		const file = join(await temporaryDirectory(), 'pid');
		const terminal = openTerminal('bash --norc', env);
		terminal.type(telling(file, run), 'Enter');
		const lease = await usedLease();
		const pid = await pidIn(file);
		terminal.close();
		await released(lease);
		await gone(pid);
	});
});

describe.skipIf(isMissing('tmux'))('console (needs tmux)', { timeout: 60_000 }, () => {
	const takeBoard = async () => {
		const lease = await client.leases.create({ boardId }, { renew: false });
		onTestFinished(async () => void (await lease.release()));
		return lease;
	};

	it('ends when its terminal closes, and keeps the lease', async () => {
		const lease = await takeBoard();
		const file = join(await temporaryDirectory(), 'pid');
		const terminal = openTerminal(telling(file, ['console', lease.id]), env);
		await terminal.sees('tick');
		const pid = await pidIn(file);
		terminal.close();
		await gone(pid);
		await lease.refresh();
		expect(lease.status).toBe('active');
	});

	it.each(['SIGTERM', 'SIGHUP'] as const)('restores the terminal on %s', async (signal) => {
		const lease = await takeBoard();
		const file = join(await temporaryDirectory(), 'pid');
		const terminal = openTerminal('bash --norc', env);
		terminal.type(telling(file, ['console', lease.id]), 'Enter');
		await terminal.sees('tick');
		process.kill(await pidIn(file), signal);
		await gone(await pidIn(file));
		terminal.type('clear; stty -a', 'Enter');
		await terminal.sees(/ icanon .* echo /s);
	});
});
