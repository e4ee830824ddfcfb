// Nothing of a lease reaches the next one: an agent drives a board that keeps whatever it is given.
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from 'board-access-agent';
import { afterEach, expect, test } from 'vitest';
import { onSqlite } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const secret = 'SECRET';

/** A board whose firmware, a text, prints itself and its input. The port keeps what nobody reads. */
async function startBoard() {
	const folder = await mkdtemp(join(tmpdir(), 'next-tenant-'));
	const flash = join(folder, 'flash');
	await writeFile(flash, '\xff'.repeat(16), 'latin1');
	let [unread, input] = ['', ''];
	let console: Socket | undefined;
	const server = createServer((socket) => {
		console = socket;
		socket.on('error', () => {});
		socket.on('data', (bytes) => {
			input += bytes;
		});
		socket.on('close', () => {
			if (console === socket) console = undefined;
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const run = async () => {
		const firmware = await readFile(flash, 'latin1').catch(() => '');
		if (/^[ -~]/.test(firmware)) {
			unread += `${firmware};${input}`;
			input = '';
		}
		if (console) {
			console.write(unread);
			unread = '';
		}
	};
	const timer = setInterval(run, 10);
	cleanups.push(async () => {
		clearInterval(timer);
		console?.destroy();
		server.close();
		await rm(folder, { recursive: true, force: true });
	});
	const tool = (text: string, ...args: string[]) => ['sh', '-c', text, flash, ...args];
	return {
		flash: () => readFile(flash, 'latin1'),
		/** Input then waits in the port. */
		stopReading: () => console?.pause(),
		config: {
			driver: 'command' as const,
			between_leases: 'erase' as const,
			flash: tool('cp "$1" "$0"', '{file}'),
			erase: tool('cp "$1" "$0"', '{blank}'),
			read_flash: tool('cp "$0" "$1"', '{file}'),
			reset: tool('true'),
			memory: { start: 0, size: 64 },
			formats: ['raw' as const],
			console: {
				type: 'tcp' as const,
				host: '127.0.0.1',
				// An AddressInfo, because the server listens on a port and not on a path.
				port: (server.address() as AddressInfo).port,
			},
		},
	};
}

type Board = Awaited<ReturnType<typeof startBoard>>;

async function drive(
	{ token, boardIds, baseUrl, fetch }: Bench,
	config: Omit<Board['config'], 'reset'>,
) {
	const boards = boardIds.map((id) => ({ id, type: 'bench', ...config }));
	const agent = await startAgent({ config: { service: baseUrl, token, boards }, fetch });
	cleanups.push(() => agent.stop());
	await agent.whenConnected();
	return agent;
}

/** Flashes firmware that tells the secret, and leaves it everywhere that it can. */
async function plant({ user }: Bench, board: Board) {
	const lease = await user.activeLease({ board_type: 'bench', minutes: 1 });
	const upload = (text: string) => user.upload(lease.id, text, '?raw=true');
	const file = await (await upload(`${secret} firmware`)).json();
	await user.act(lease.id, { action: 'flash', file_id: file.id });
	const output = await user.console(lease.id);
	await output.see(`${secret} firmware;`);
	board.stopReading();
	await user.type(lease.id, `${secret} input`.repeat(200));
	return { lease, output, file, other: await (await upload(`${secret} other file`)).json() };
}

/** All that the next tenant can read of the service: the console, the records, and the files of before. */
async function lookFor({ user }: Bench, board: Board, fileIds: readonly string[]) {
	const lease = await user.activeLease({ board_type: 'bench', minutes: 1 });
	const output = await user.console(lease.id);
	expect(await board.flash()).toMatch(/^\xff+$/);
	for (const file_id of fileIds) {
		const flash = { action: 'flash', file_id };
		const { body } = await user.json(`/leases/${lease.id}/actions`, 'POST', flash);
		expect(body.error.code).toBe('file_not_found');
	}
	const mine = await (await user.upload(lease.id, 'mine', '?raw=true')).json();
	await user.act(lease.id, { action: 'flash', file_id: mine.id });
	await user.type(lease.id, 'typed by me');
	await output.see('typed by me');
	const records = [`/leases/${lease.id}`, `/leases/${lease.id}/actions`, '/boards'];
	const read = await Promise.all(records.map((path) => user.json(path)));
	await user.release(lease.id);
	await output.ended;
	return `${output.text()}${JSON.stringify(read)}`;
}

test('a lease that was released leaves nothing for the next one', () => leaveNothing('released'));

test.each(['expired', 'ended by an administrator', 'lost with an agent that did not erase'])(
	'a lease that was %s leaves nothing for the next one',
	{ tags: 'long' },
	leaveNothing,
);

async function leaveNothing(ending: string) {
	const bench = await openBench(onSqlite, { agentTimeout: 3 });
	cleanups.push(() => bench.close());
	const board = await startBoard();
	const isLost = ending.startsWith('lost');
	const first = { ...board.config, between_leases: isLost ? 'keep' : 'erase' };
	// Either value is one of the configuration.
	const agent = await drive(bench, first as Board['config']);
	const { lease, output, file, other } = await plant(bench, board);
	if (ending === 'released') await bench.user.release(lease.id);
	if (ending === 'expired') {
		const { query } = bench.services.database;
		await query
			.updateTable('leases')
			.set({ expires_at: '2020-01-01T00:00:00.000Z' })
			.where('id', '=', lease.id)
			.execute();
	}
	if (ending.startsWith('ended')) await bench.user.json(`/admin/leases/${lease.id}`, 'DELETE');
	if (isLost) {
		await agent.stop();
		await drive(bench, board.config);
	}
	await output.ended;
	expect(await lookFor(bench, board, [file.id, other.id])).not.toContain(secret);
}

test.each(['with a reset', 'without one'])(
	'a board %s that cannot be erased is not given to a lease, and says why',
	async (kind) => {
		const bench = await openBench(onSqlite, { agentTimeout: 3 });
		cleanups.push(() => bench.close());
		const { reset, ...config } = (await startBoard()).config;
		await drive(bench, {
			...config,
			erase: ['false'],
			...(kind === 'with a reset' && { reset }),
		});
		const { user } = bench;
		const { body: lease } = await user.json('/leases', 'POST', {
			board_type: 'bench',
			minutes: 1,
		});
		expect(lease.status).toBe('preparing');
		await user.waitFor(lease.id, 'ended');
		const { body: board } = await user.json('/boards/brd_bench_1');
		expect(board).toMatchObject({
			status: 'maintenance',
			status_reason: expect.stringMatching(
				/^Preparation failed 2 times in a row. The board cannot be erased after its last lease: /,
			),
		});
		expect((await user.json(`/leases/${lease.id}`)).body.started_at).toBeNull();
	},
);
