// @module-tag long
// `run` when the serial port of the board goes away: a real agent, and a port made by socat.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardAccess } from 'board-access';
import { startAgent } from 'board-access-agent';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useService } from '../support/cli.ts';
import { isMissing } from '../support/installed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { cli, demo, fetch } = useService();
const patience = { timeout: 15_000, interval: 20 };
const client = () =>
	new BoardAccess({ baseUrl: 'http://localhost', apiKey: demo().apiKey, fetch: fetch() });

/** A board with its own USB, which prints the requested text repeatedly. */
async function plugIn(firmware: string) {
	const folder = await temporaryDirectory();
	const [path, flag] = [join(folder, 'tty'), join(folder, 'flashed')];
	await writeFile(
		join(folder, 'board.sh'),
		'while sleep 0.1 && echo ready && cat output; do :; done',
	);
	let socat: ChildProcess | undefined;
	const appear = async (output = firmware) => {
		await writeFile(join(folder, 'output'), output);
		await rm(path, { force: true });
		// socat splits its arguments at blanks, which the folder may have in its name.
		const argv = ['PTY,link=tty,rawer', 'EXEC:"sh board.sh"'];
		socat = spawn('socat', argv, { cwd: folder, stdio: 'ignore' });
		await vi.waitFor(() => expect(existsSync(path)).toBe(true), patience);
	};
	const vanish = async () => {
		socat?.kill('SIGKILL');
		// The link would lead to the next terminal that anyone opens.
		await rm(path, { force: true });
		if (socat?.exitCode === null && socat.signalCode === null) await once(socat, 'exit');
	};
	await writeFile(join(folder, 'app.bin'), firmware);
	await appear();
	const type = `pty-${Math.random()}`;
	const { id } = await client().admin.boards.create({ name: type, boardType: type });
	const created = await client().request({
		method: 'POST',
		path: '/v1/admin/agents',
		json: { name: type, board_ids: [id] },
	});
	const agent = await startAgent({
		config: {
			service: 'http://localhost',
			token: (created as { token: string }).token,
			boards: [
				{
					id,
					type,
					driver: 'command',
					between_leases: 'keep',
					flash: ['touch', flag],
					// The preparation resets the board, too.
					reset: ['sh', '-c', 'test ! -e "$0" || touch "$0.reset"', flag],
					console: { type: 'serial', path, exclusive: false },
				},
			],
		},
		fetch: fetch(),
	});
	await agent.whenConnected();
	onTestFinished(async () => {
		await agent.stop();
		await vanish();
	});
	return {
		appear,
		vanish,
		run: (...options: string[]) =>
			cli(['run', join(folder, 'app.bin'), '--raw', '--type', type, ...options]),
		/** When the service knows that the port is gone. */
		whenLost: () =>
			expect
				.poll(async () => (await client().leases.list({ status: 'active' }))[0]?.consoleStatus)
				.toBe('disconnected'),
		whenReset: () => vi.waitFor(() => expect(existsSync(`${flag}.reset`)).toBe(true), patience),
		whenRuns: () =>
			vi.waitFor(async () => {
				const [lease] = await client().leases.list({ status: 'active' });
				const actions = await (await client().leases.get(lease?.id ?? '')).actions();
				expect(actions.at(-1)).toMatchObject({ action: 'flash', status: 'done' });
			}, patience),
	};
}

describe.skipIf(isMissing('socat'))('a serial port (needs socat)', () => {
	it('that is gone at the end is a failure of the board, not of the firmware', async () => {
		const board = await plugIn('still at work');
		const junit = join(await temporaryDirectory(), 'report.xml');
		const running = board.run('--expect', 'PASS', '--timeout', '6s', '--junit', junit);
		await board.whenRuns();
		await board.vanish();
		const { exitCode, stderr } = await running;
		expect({ exitCode, stderr }).toMatchObject({ exitCode: 11 });
		expect(stderr).toMatch(/error: The console of the board is disconnected \(since 20\S+Z\): ./);
		expect(stderr).toContain('Check the cable of the board');
		const report = await readFile(junit, 'utf8');
		expect(report).toContain('failures="0" errors="1"');
		expect(report).toContain(
			'<error type="board_failed" message="The console of the board is disconnected',
		);
	});

	it('that is gone does not let a run with --fail only pass', async () => {
		const board = await plugIn('still at work');
		const running = board.run('--fail', 'PANIC', '--timeout', '6s');
		await board.whenRuns();
		await board.vanish();
		expect(await running).toMatchObject({ exitCode: 11 });
	});

	it('that disappears while the board restarts is waited for', async () => {
		const board = await plugIn('still at work');
		const running = board.run('--expect', 'PASS');
		await board.whenReset();
		await board.vanish();
		await board.whenLost();
		await board.appear('PASS');
		expect(await running).toMatchObject({ exitCode: 0 });
	});

	it('that disappears while the board restarts is not a failure of the board', async () => {
		const board = await plugIn('still at work');
		const restart = async () => {
			await board.whenReset();
			await board.vanish();
			await board.whenLost();
			await board.appear();
		};
		const [failed] = await Promise.all([
			board.run('--expect', 'PASS', '--timeout', '6s'),
			restart(),
		]);
		expect(failed).toMatchObject({ exitCode: 10 });
	});
});
