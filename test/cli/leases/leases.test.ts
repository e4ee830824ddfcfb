import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { BoardAccess, type Lease } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { useService } from '../../support/cli.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { cli, demo, fetch } = useService({ agent: true });
const firmware = sampleFirmwarePath('arduino-uno');
const boardId = 'brd_arduino-uno-01';

const client = () =>
	new BoardAccess({ baseUrl: 'http://localhost', apiKey: demo().apiKey, fetch: fetch() });

/** A lease that the test releases. */
const takeBoard = async (): Promise<Lease> => {
	const lease = await client().leases.create({ boardId }, { renew: false });
	onTestFinished(async () => void (await lease.release()));
	return lease;
};

describe('leases create', () => {
	it('prints only the ID, and keeps the board after the command has ended', async () => {
		const { exitCode, stdout, stderr } = await cli(`leases create --board ${boardId} --minutes 3`);
		expect({ exitCode, stdout }).toEqual({
			exitCode: 0,
			stdout: expect.stringMatching(/^lse_\w+\n$/),
		});
		const id = stdout.trim();
		expect(stderr).toContain('Preparing brd_arduino-uno-01');
		expect(stderr).toContain(`${boardId} is yours for 3 minutes: board-access console ${id}\n`);
		expect((await cli(`leases get ${id}`)).stdout).toMatch(/^Status +active$/m);
		expect((await cli(`leases release ${id}`)).stderr).toBe(`The lease ${id} is released.\n`);
	});

	it('says what a minute costs', async () => {
		const { stdout, stderr } = await cli('leases create --board brd_arduino-uno-02 --minutes 3');
		expect(stderr).toContain('is yours for 3 minutes at 2 credits a minute: board-access console');
		await cli(`leases release ${stdout.trim()}`);
		const args = ['--board', 'brd_arduino-uno-02'];
		const run = await cli(['run', firmware, ...args]);
		expect(run.stderr).toMatch(/^Using brd_arduino-uno-02 \(lse_\w+\), 2 credits a minute$/m);
	});

	it('says what can be done with a board without an agent', async () => {
		const { boards } = client().admin;
		const { id: board } = await boards.create({ name: 'Bare', boardType: 'bare' });
		const { stdout, stderr } = await cli(`leases create --board ${board}`);
		expect(stderr).toContain(`${board} is yours for 10 minutes. It has no agent, so`);
		expect(stderr).not.toContain('board-access console');
		await cli(`leases release ${stdout.trim()}`);
		await boards.delete(board);
	});

	it('prints the lease as JSON and nothing else', async () => {
		const { stdout, stderr } = await cli(`leases create --board ${boardId} --label night --json`);
		const lease = JSON.parse(stdout);
		expect({ stderr, lease }).toMatchObject({
			stderr: '',
			lease: { status: 'active', boardId, label: 'night', minutes: 10 },
		});
		await cli(`leases release ${lease.id}`);
	});

	it('has exit code 12 when no board is available', { tags: 'long' }, async () => {
		await takeBoard();
		expect(await cli(`leases create --board ${boardId}`)).toMatchObject({ exitCode: 12 });
		const waited = await cli(`leases create --board ${boardId} --wait 1s`);
		expect(waited).toMatchObject({ exitCode: 12, stdout: '' });
		expect(waited.stderr).toContain('queue position 1');
	});

	it('suggests a similar board type', async () => {
		expect(await cli('leases create --type toaster')).toMatchObject({
			exitCode: 3,
			stderr: expect.stringMatching(/no board type "toaster"\. Known types: arduino-uno, /),
		});
		expect((await cli('leases create --type esp32s3')).stderr).toContain('Did you mean esp32-s3?');
	});
});

describe('leases', () => {
	it('lists leases, newest first, by status', async () => {
		const { id } = await takeBoard();
		const { stdout } = await cli('leases list --status active');
		expect(stdout).toMatch(new RegExp(`^ID +STATUS +BOARD .*\\n${id} +active +${boardId} `));
		expect((await cli('leases list --status queued')).stderr).toBe('No leases.\n');
		const several = await cli('leases list --status queued --status active');
		expect(several.stdout).toBe(stdout);
	});

	it('shows the queue position of leases that wait for a board', async () => {
		await takeBoard();
		const { id } = await client().request<{ id: string }>({
			method: 'POST',
			path: '/v1/leases',
			json: { board_id: boardId, wait_seconds: 60 },
		});
		const { stdout } = await cli('leases list');
		expect(stdout).toMatch(/^ID +STATUS +QUEUE +BOARD /);
		expect(stdout).toMatch(new RegExp(`^${id} +queued +1 +`, 'm'));
		await cli(`leases release ${id}`);
	});

	it('renews by the minutes of the lease or by --minutes', async () => {
		const { id } = await takeBoard();
		const minutesLeft = async () => {
			const { stdout } = await cli(`leases get ${id} --json`);
			return (Date.parse(JSON.parse(stdout).expiresAt) - Date.now()) / 60_000;
		};
		await cli(`leases renew ${id}`);
		expect(await minutesLeft()).toBeGreaterThan(9);
		const { stderr } = await cli(`leases renew ${id} --minutes 30`);
		expect(await minutesLeft()).toBeGreaterThan(25);
		// A renewal never shortens a lease.
		expect((await cli(`leases renew ${id} --minutes 5`)).stderr).toBe(stderr);
		expect(stderr).toMatch(/ends at \d{4}-.*Z unless/);
	});

	it('shares a lease with a colleague, who reads it and types into it', async () => {
		const { id } = await takeBoard();
		const env = { SERVICE_API_KEY: demo().freeApiKey };
		const share = `leases share ${id} Free@example.com`;
		expect((await cli(`leases get ${id}`, { env })).exitCode).toBe(3);
		expect((await cli(share)).stderr).toBe(
			`Whoever has verified free@example.com in their account can look:\nboard-access console ${id}\n`,
		);
		expect((await cli(`leases get ${id}`, { env })).stdout).toMatch(/^Access +look$/m);
		expect((await cli('leases list --shared', { env })).stdout).toMatch(/HOLDER.*\n.*@/);
		expect(await cli(`reset ${id}`, { env })).toMatchObject({
			exitCode: 6,
			stderr: expect.stringContaining('shared this lease with you to look, not to type'),
		});
		expect((await cli(`${share} --type --json`)).stdout).toContain('"access": "type"');
		expect(await cli(`reset ${id}`, { env })).toMatchObject({ exitCode: 0 });
		expect((await cli(`leases release ${id}`, { env })).exitCode).toBe(6);

		expect((await cli(`leases shares ${id}`)).stdout).toMatch(/^free@example.com +type +/m);
		expect((await cli(`leases unshare ${id} fred@example.com`)).exitCode).not.toBe(0);
		await cli(`leases unshare ${id} FREE@example.com`);
		expect((await cli(`leases shares ${id}`)).stderr).toBe('Not shared.\n');
		expect((await cli(`leases get ${id}`, { env })).exitCode).toBe(3);

		await cli(share);
		expect(await cli(`leases leave ${id}`, { env })).toMatchObject({
			exitCode: 0,
			stderr: `The lease ${id} is no longer shared with you.\n`,
		});
		expect((await cli(`leases get ${id}`, { env })).exitCode).toBe(3);
		expect(await cli(`leases leave ${id}`)).toMatchObject({
			exitCode: 6,
			stderr: expect.stringContaining('You hold this lease'),
		});
	});

	it('says with exit code 6 that a lease is no longer shared, not that it has ended', async () => {
		const { id } = await takeBoard();
		const env = { SERVICE_API_KEY: demo().freeApiKey };
		await cli(`leases share ${id} free@example.com`);
		const opened = Promise.withResolvers<void>();
		const watching: typeof globalThis.fetch = async (...request) => {
			const response = await fetch()(...request);
			if (response.headers.has('x-console-offset')) opened.resolve();
			return response;
		};
		const reading = cli(`console ${id}`, { env, fetch: watching });
		await opened.promise;
		await cli(`leases unshare ${id} free@example.com`);
		expect(await reading).toMatchObject({
			exitCode: 6,
			stderr: expect.stringContaining(`The lease ${id} is no longer shared with you`),
		});
	});

	it('releases the others if one cannot be released', async () => {
		const { id } = await takeBoard();
		const { stdout, stderr, exitCode } = await cli(`leases release lse_none ${id} --json`);
		expect(exitCode).toBe(3);
		expect(JSON.parse(stdout)).toMatchObject([{ id, status: 'ended' }]);
		expect(JSON.parse(stderr).error).toMatchObject({
			message: '1 lease was not released',
			code: 'lease_not_found',
			issues: [{ path: 'lse_none' }],
		});
	});

	it('releases several, and one that has already ended', async () => {
		const { id } = await takeBoard();
		const { stdout } = await cli(`leases create --type rp2040-pico --json`);
		const other: string = JSON.parse(stdout).id;
		expect(await cli(`leases release ${id} ${other}`)).toMatchObject({
			exitCode: 0,
			stderr: `The lease ${id} is released.\nThe lease ${other} is released.\n`,
		});
		expect((await cli(`leases release ${id}`)).stderr).toContain('had ended: released');
		expect((await cli(`leases get ${id}`)).stdout).toMatch(/^Reason +released/m);
		expect(await cli('leases release lse_none')).toMatchObject({ exitCode: 3 });
	});
});

describe('flash', () => {
	it('prints what was flashed, and how long it took', async () => {
		const { id } = await takeBoard();
		const { exitCode, stdout, stderr } = await cli(['flash', id, firmware]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
		expect(stderr).toMatch(
			/^Uploading [\d,]+ bytes\nUploaded [\d,]+ bytes\nFlashing\nFlashed brd_\S+, ready after [\d.]+ s: [\d,]+ bytes written\n/,
		);
		const { stdout: json } = await cli(['flash', id, firmware, '--json']);
		expect(JSON.parse(json)).toMatchObject({ action: 'flash', status: 'done' });
	});

	it('has exit code 2 for firmware that is broken, and 11 for a lease that has ended', async () => {
		const lease = await takeBoard();
		const file = join(await temporaryDirectory(), 'broken.hex');
		await writeFile(file, ':1000000\n');
		expect(await cli(['flash', lease.id, file])).toMatchObject({ exitCode: 2 });
		await lease.release();
		const { exitCode, stderr } = await cli(['flash', lease.id, firmware]);
		expect(exitCode).toBe(11);
		expect(stderr).toContain('\n  Lease a board again with "board-access leases create"');
	});
});

describe('erase, reset and power', () => {
	it.each([
		['erase', [], 'erase', 'Erased'],
		['reset', [], 'reset', 'Reset'],
		['power', ['off'], 'power_off', 'Switched off'],
		['power', ['on'], 'power_on', 'Switched on'],
		['power', ['cycle'], 'power_cycle', 'Switched off and on'],
	])(
		'carries out %s %j on the board of a lease, and says so',
		async (name, given, action, said) => {
			const lease = await takeBoard();
			if (action === 'power_on') await lease.power('off');
			const done = await cli([name, lease.id, ...given]);
			expect(done).toMatchObject({ exitCode: 0, stdout: '' });
			expect(done.stderr).toMatch(new RegExp(`^${said} ${boardId} in [\\d.]+ s\\n$`));
			if (action === 'power_on') await lease.power('off');
			const { stdout } = await cli([name, lease.id, ...given, '--json']);
			const { id, status } = JSON.parse(stdout);
			expect((await lease.actions()).at(-1)).toMatchObject({ id, action, status });
			expect(status).toBe('done');
		},
	);

	it('has exit code 2 for another state of the power, and 11 for a lease that has ended', async () => {
		const lease = await takeBoard();
		const wrong = await cli(['power', lease.id, 'up']);
		expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('on, off, cycle') });
		expect(await cli(['reset', 'lse_none'])).toMatchObject({ exitCode: 3 });
		await lease.release();
		expect(await cli(['erase', lease.id])).toMatchObject({ exitCode: 11 });
	});

	it('says that the ID of a board is not that of a lease, and where to find it', async () => {
		const { exitCode, stderr } = await cli(`reset ${boardId}`);
		expect(exitCode).toBe(3);
		expect(stderr).toContain(
			`error: This is a board, not a lease.\n  "board-access boards get ${boardId}" shows your lease of it.\n`,
		);
		expect((await cli('reset lse_none')).stderr).toContain('\n  "board-access leases list" shows');
	});

	it('says that the lease comes before the state of the power', async () => {
		const { exitCode, stderr } = await cli('power on lse_1');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('The ID of the lease comes first');
	});
});

/** The command with a keyboard that the test types on. */
const openConsole = (
	argv: readonly string[],
	{ terminal = true, signal = undefined as AbortSignal | undefined, send = fetch() } = {},
) => {
	const modes: boolean[] = [];
	let printed = '';
	let said = '';
	const stdin = Object.assign(new PassThrough(), {
		isTTY: terminal,
		setRawMode: (on: boolean) => modes.push(on),
	});
	const exitCode = run(['console', ...argv], {
		env: { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: demo().apiKey },
		stdin,
		stdout: { write: (data) => (printed += Buffer.from(data).toString()), isTTY: terminal },
		stderr: { write: (data) => (said += data), isTTY: terminal },
		fetch: send,
		signal,
	});
	return {
		exitCode,
		modes,
		type: (text: string) => stdin.write(text),
		endInput: () => stdin.end(),
		sent: () => vi.waitFor(() => expect(stdin.isPaused()).toBe(false)),
		sees: (text: string | RegExp) =>
			vi.waitFor(() => expect(printed).toMatch(text), { timeout: 15_000 }),
		printed: () => printed,
		said: () => said,
	};
};

describe('console', () => {
	it('passes every key on a terminal, and ends at Ctrl-] while the lease continues', async () => {
		const lease = await takeBoard();
		await lease.flash(await import('node:fs/promises').then(({ readFile }) => readFile(firmware)));
		const board = openConsole([lease.id]);
		await board.sees('Hello from Arduino Uno\r\n');
		expect(board.said()).toBe(
			`Connected to ${boardId}, lease ${lease.id}. Press Ctrl-] to disconnect.\n`,
		);
		board.type('more\r');
		await board.sees('MORE\r\n');
		board.type('\u001d');
		expect(await board.exitCode).toBe(0);
		expect(board.modes).toEqual([true, false]);
		expect(board.said()).toContain('Disconnected; the lease continues');
		await lease.refresh();
		expect(lease.status).toBe('active');
	});

	it('copies standard input and output in a pipe, until the lease ends', async () => {
		const lease = await takeBoard();
		await lease.flash(await import('node:fs/promises').then(({ readFile }) => readFile(firmware)));
		await lease.console.expect('Hello');
		const board = openConsole([lease.id, '--new'], { terminal: false });
		await vi.waitFor(
			async () => {
				board.type('pass\n');
				expect(board.printed()).toContain('PASS\r\n');
			},
			{ timeout: 15_000, interval: 200 },
		);
		await board.sent();
		board.endInput();
		await lease.release();
		expect(await board.exitCode).toBe(0);
		expect(board.printed()).not.toContain('Hello');
		const said = `The lease ${lease.id} has ended: released: The lease was released.\n`;
		expect({ modes: board.modes, said: board.said() }).toEqual({ modes: [], said });
	});

	it('prints lines of JSON with --json, also on a terminal', async () => {
		const lease = await takeBoard();
		await lease.console.expect('tick');
		await lease.release();
		const board = openConsole([lease.id, '--json']);
		expect(await board.exitCode).toBe(0);
		const lines = board.printed().trimEnd().split('\n');
		const events = lines.map((line): { event: string; text: string } => JSON.parse(line));
		expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['console']));
		expect(events.map(({ text }) => text).join('')).toContain('tick');
		expect({ modes: board.modes, said: board.said() }).toEqual({ modes: [], said: '' });
	});

	it('passes Ctrl-] on in a pipe', { tags: 'long' }, async () => {
		const lease = await takeBoard();
		const interruption = new AbortController();
		const { signal } = interruption;
		const board = openConsole([lease.id], { terminal: false, signal });
		await board.sees('tick');
		board.type('\u001d');
		board.type('x');
		await board.sees(/tick[\s\S]*tick/);
		interruption.abort();
		expect(await board.exitCode).toBe(130);
	});

	it.each([true, false])(
		'disconnects after the time of --for, on a terminal: %s',
		{ tags: 'long' },
		async (terminal) => {
			const lease = await takeBoard();
			await lease.console.expect('tick');
			const board = openConsole([lease.id, '--for', '3s'], { terminal });
			expect(await board.exitCode).toBe(0);
			expect(board.printed()).toContain('tick');
			expect(board.said()).not.toContain('error');
			expect(board.modes).toEqual(terminal ? [true, false] : []);
			await lease.refresh();
			expect(lease.status).toBe('active');
		},
	);

	it('fails if input was on its way when the time of --for was over', {
		tags: 'long',
	}, async () => {
		const lease = await takeBoard();
		const send: typeof globalThis.fetch = async (input, init) => {
			const request = new Request(input, init);
			if (request.method !== 'POST') return fetch()(request);
			return new Response(null, { status: 503, headers: { 'retry-after': '1' } });
		};
		const board = openConsole([lease.id, '--for', '2s'], { terminal: false, send });
		board.type('never arrives');
		expect(await board.exitCode).toBe(1);
		expect(board.said()).toContain(
			'Only 0 bytes of the input were sent: the time of --for is over',
		);
	});

	it('says why the lease has ended', async () => {
		const lease = await takeBoard();
		const board = openConsole([lease.id]);
		await board.sees('tick');
		await client().request({ method: 'DELETE', path: `/v1/admin/leases/${lease.id}` });
		expect(await board.exitCode).toBe(11);
		expect(board.said()).toMatch(/The lease \w+ has ended: An administrator/);
		expect(board.modes).toEqual([true, false]);
	});

	it('shows the console of a lease that was released', async () => {
		const lease = await takeBoard();
		await lease.console.expect('tick');
		await lease.release();
		const board = openConsole([lease.id]);
		expect(await board.exitCode).toBe(0);
		expect(board.printed()).toContain('tick');
		expect(board.said()).toContain(`The lease ${lease.id} has ended: released`);
	});
});
