// @module-tag long
// What happens to a lease when its agent, the network, a replica or the database fails.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startAgent } from 'board-access-agent';
import { sampleFirmware } from 'board-access-agent/samples';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { storeImage } from '../../../core/src/base-images/store.ts';
import { keepDownload } from '../../../core/src/leases/files/store.ts';
import { createPostgres, startPostgres } from '../../../core/test/support/postgres.ts';
import { startRelay } from '../../../core/test/support/relay.ts';
import { onPostgres } from '../support/backends.ts';
import { type Bench, type BenchOptions, createUser, openBench } from '../support/bench.ts';
import { startCommand } from '../support/command.ts';
import { connecting } from '../support/scripted-agent.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const agentMain = fileURLToPath(new URL('../../../agent/dist/main.js', import.meta.url));
const board = 'brd_bench_1';
const generous = { rateLimitPerKey: 1e9, rateLimitPerAccount: 1e9, rateLimitConsoleInput: 1e9 };

async function open(options: BenchOptions = {}) {
	const bench = await openBench(onPostgres, { boardType: 'lab-uno', ...generous, ...options });
	cleanups.push(() => bench.close());
	return bench;
}

const boards = [{ id: board, type: 'arduino-uno', driver: 'emulated' as const }];

/** The agent in its own process. */
async function spawnAgent({ token, baseUrl: service }: Pick<Bench, 'token' | 'baseUrl'>) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-agent-'));
	const file = join(folder, 'agent.json');
	await writeFile(file, JSON.stringify({ service, token, boards }));
	const child = spawn(process.execPath, [agentMain, 'start', '--config', file], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	cleanups.push(() => end(child, 'SIGKILL'));
	return child;
}

function end(child: ChildProcess, signal: NodeJS.Signals) {
	if (child.exitCode !== null || child.signalCode !== null) return undefined;
	const exited = new Promise((resolve) => child.once('exit', resolve));
	child.kill(signal);
	return exited;
}

function boardStatus({ user }: Bench, status: string) {
	return vi.waitFor(
		async () => expect((await user.json(`/boards/${board}`)).body.status).toBe(status),
		{ timeout: 20_000, interval: 50 },
	);
}

describe('an agent that is killed', () => {
	const moments = {
		'while nothing runs': async () => {},
		'while it flashes': async ({ user }: Bench, leaseId: string) => {
			const file = await (await user.upload(leaseId, await sampleFirmware('arduino-uno'))).json();
			await user.json(`/leases/${leaseId}/actions`, 'POST', { action: 'flash', file_id: file.id });
		},
		'while the board prints': async ({ user }: Bench, leaseId: string) => {
			await user.flash(leaseId, await sampleFirmware('arduino-uno'));
			await user.type(leaseId, 'one\rtwo\rthree\r');
		},
	};
	test.each(Object.entries(moments))(
		'%s loses the lease, and works again',
		async (_name, reach) => {
			const bench = await open({ agentTimeout: 3 });
			const agent = await spawnAgent(bench);
			await boardStatus(bench, 'available');
			const { id } = await bench.user.activeLease({ board_id: board });
			const output = await bench.user.console(id);
			await reach(bench, id);
			await end(agent, 'SIGKILL');
			await output.ended;
			expect((await bench.user.json(`/leases/${id}`)).body).toMatchObject({
				status: 'ended',
				end_reason: 'agent_lost',
			});
			const { body: actions } = await bench.user.json(`/leases/${id}/actions`);
			for (const { ended_at } of actions.data) expect(ended_at).not.toBeNull();
			await boardStatus(bench, 'offline');
			await spawnAgent(bench);
			await boardStatus(bench, 'available');
			const next = await bench.user.activeLease({ board_id: board });
			await bench.user.flash(next.id, await sampleFirmware('arduino-uno'));
			const after = await bench.user.console(next.id);
			await after.see('Hello from');
			expect(after.text()).not.toContain('ONE');
			await bench.user.release(next.id);
		},
	);
});

test('a lease whose agent is killed during the preparation waits, and is prepared by the next one', async () => {
	const bench = await open({ agentTimeout: 3 });
	const url = 'https://images.example.com/lab.hex';
	const { query } = bench.services.database;
	await keepDownload(query, { url, data: Buffer.from(await sampleFirmware('arduino-uno')) });
	await storeImage(query, { ...sampleImage, url });
	const agent = await spawnAgent(bench);
	await boardStatus(bench, 'available');
	// Held still, so that it cannot finish the preparation before it is killed.
	agent.kill('SIGSTOP');
	const { id } = await bench.user.lease({ board_id: board });
	await bench.user.waitFor(id, 'preparing');
	await end(agent, 'SIGKILL');
	await bench.user.waitFor(id, 'queued');
	await boardStatus(bench, 'offline');
	await spawnAgent(bench);
	await bench.user.waitFor(id, 'active');
	const { body: actions } = await bench.user.json(`/leases/${id}/actions`);
	expect(actions.data).toMatchObject([
		{ phase: 'prepare', action: 'power_cycle', status: 'done' },
		{ phase: 'prepare', action: 'flash', status: 'done' },
		{ phase: 'prepare', action: 'reset', status: 'done' },
	]);
	await bench.user.release(id);
});

const sampleImage = {
	board_type: 'lab-uno',
	action: 'flash',
	name: 'Sample',
	description: '',
	flash_offset: '0x0',
	enabled: true,
} as const;

test('of two agents with one token the first keeps its leases, and the second connects after it', async () => {
	const bench = await open({ agentTimeout: 3 });
	const first = await spawnAgent(bench);
	await boardStatus(bench, 'available');
	const { id } = await bench.user.activeLease({ board_id: board });
	const refusals = bench.sendAsAgent('/work', connecting('second'));
	expect((await (await refusals).json()).error.code).toBe('agent_connected');
	const second = await spawnAgent(bench);
	const flashed = await bench.user.flash(id, await sampleFirmware('arduino-uno'));
	expect(flashed.status).toBe('done');
	await end(first, 'SIGKILL');
	await bench.user.waitFor(id, 'ended');
	await bench.user.json(`/boards/${board}`);
	await vi.waitFor(
		async () => {
			const next = await bench.user.activeLease({ board_id: board });
			await bench.user.release(next.id);
		},
		{ timeout: 30_000 },
	);
	await end(second, 'SIGTERM');
});

describe('a network outage', () => {
	/** An agent behind a relay, and a lease whose board greets. */
	async function openCut(options: BenchOptions) {
		const bench = await open(options);
		const relay = await startRelay({
			host: '127.0.0.1',
			port: Number(new URL(bench.baseUrl).port),
		});
		cleanups.push(() => relay.close());
		const agent = await startAgent({
			config: { service: `http://127.0.0.1:${relay.port}`, token: bench.token, boards },
		});
		cleanups.push(() => agent.stop());
		await agent.whenConnected();
		const { id } = await bench.user.activeLease({ board_id: board });
		await bench.user.flash(id, await sampleFirmware('arduino-uno'));
		const output = await bench.user.console(id);
		await output.see('Hello from Arduino Uno\r\n');
		return { bench, relay, id, output };
	}

	test('that is short loses no byte in either direction', async () => {
		const { bench, relay, id, output } = await openCut({});
		const before = output.text();
		relay.cut();
		for (const word of ['one', 'two', 'three']) await bench.user.type(id, `${word}\r`);
		relay.restore();
		await output.see('THREE\r\n');
		expect(
			output
				.text()
				.slice(before.length)
				.match(/[A-Z]+/g),
		).toEqual(['ONE', 'TWO', 'THREE']);
		await bench.user.release(id);
	});

	test('that is long ends the lease, and does not affect the next one', async () => {
		const { bench, relay, id, output } = await openCut({ agentTimeout: 3 });
		relay.cut();
		await bench.user.type(id, 'late\r');
		await output.ended;
		await boardStatus(bench, 'offline');
		relay.restore();
		await boardStatus(bench, 'available');
		expect((await bench.user.json(`/leases/${id}`)).body.end_reason).toBe('agent_lost');
		const next = await bench.user.activeLease({ board_id: board });
		await bench.user.flash(next.id, await sampleFirmware('arduino-uno'));
		const after = await bench.user.console(next.id);
		await after.see('Hello from Arduino Uno\r\n');
		await bench.user.type(next.id, 'next\r');
		await after.see('NEXT\r\n');
		expect(after.text()).not.toContain('LATE');
		await bench.user.release(next.id);
	});
});

test('a replica that is killed loses no byte of the console and repeats none', async () => {
	const bench = await open();
	const location = bench.services.settings.database;
	const killed = await startCommand(['start', '--port', '0'], {
		DATABASE_URL: location,
		RATE_LIMIT_PER_KEY: '1000000',
		RATE_LIMIT_PER_ACCOUNT: '1000000',
	});
	cleanups.push(() => end(killed.child, 'SIGKILL'));
	// As behind a proxy: a replica that does not respond is followed by the other.
	const addresses = [killed.url, bench.baseUrl];
	const failOver = async (path: string, init: RequestInit = {}) => {
		const address = addresses[0];
		try {
			return await fetch(`${address}${path}`, init);
		} catch (error) {
			if (addresses[0] === address) addresses.reverse();
			throw error;
		}
	};
	const agent = await startAgent({
		config: { service: 'https://service.test', token: bench.token, boards },
		fetch: (url, init) => failOver(url.replace('https://service.test', ''), init),
	});
	cleanups.push(() => agent.stop());
	await agent.whenConnected();
	const { id } = await bench.user.activeLease({ board_id: board });
	await bench.user.flash(id, await sampleFirmware('arduino-uno'));

	const words = 150;
	const typing = (async () => {
		for (let count = 0; count < words; count += 1) {
			await bench.user.type(id, `w${count}\r`);
			// biome-ignore lint/plugin: somebody types at this pace.
			await new Promise((resolve) => setTimeout(resolve, 20));
			if (count === words / 2) killed.child.kill('SIGKILL');
		}
	})();
	let received = Buffer.alloc(0);
	let connections = 0;
	while (!received.includes(`W${words - 1}\r\n`)) {
		connections += 1;
		const headers = { authorization: `Bearer ${bench.apiKey}` };
		const path = `/v1/leases/${id}/console?from=${received.length}`;
		const response = await failOver(path, { headers }).catch(() => undefined);
		const read = async () => {
			for await (const piece of response?.ok ? (response.body ?? []) : []) {
				received = Buffer.concat([received, piece]);
				if (received.includes(`W${words - 1}\r\n`)) return;
			}
		};
		await read().catch(() => {});
	}
	await typing;
	expect(connections).toBeGreaterThan(1);
	const expected = Array.from({ length: words }, (_, count) => `W${count}`);
	expect(received.toString().match(/W\d+/g)).toEqual(expected);
	await bench.user.release(id);
	const whole = await bench.user.console(id);
	await whole.ended;
	expect(whole.bytes().subarray(0, received.length)).toEqual(received);
});

test('a temporary database outage ends no lease', async () => {
	const cluster = await startPostgres();
	cleanups.push(() => cluster.remove());
	const database = await createPostgres(cluster.url);
	const bench = await open({ database, agentTimeout: 3 });
	const agent = await startAgent({
		config: { service: bench.baseUrl, token: bench.token, boards },
	});
	cleanups.push(() => agent.stop());
	await agent.whenConnected();
	const { id } = await bench.user.activeLease({ board_id: board });
	await bench.user.flash(id, await sampleFirmware('arduino-uno'));
	await cluster.stop();
	// biome-ignore lint/plugin: the outage is longer than the agent may be silent.
	await new Promise((resolve) => setTimeout(resolve, 4_000));
	await cluster.start();
	const user = createUser(bench);
	await vi.waitFor(async () => expect((await user.json('/boards')).status).toBe(200), {
		timeout: 15_000,
	});
	await vi.waitFor(async () => expect((await user.type(id, 'back\r')).status).toBe(204), {
		timeout: 15_000,
	});
	const output = await user.console(id);
	await output.see('BACK');
	await user.release(id);
	await output.ended;
}, 90_000);
