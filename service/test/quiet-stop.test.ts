// @module-tag long
// Whoever looks for errors in the logs finds none of a normal stop.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BoardAccess } from 'board-access';
import { sampleFirmware } from 'board-access-agent/samples';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { copyOf, type DatabaseKind } from '../../core/test/support/databases.ts';
import { startCommand } from './support/command.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What a process has written besides ordinary lines of its log. */
function complaints(output: string) {
	return output
		.trim()
		.split('\n')
		.filter((line) => line && !(line.startsWith('{') && JSON.parse(line).level === 'info'));
}

async function startReplicas(kind: DatabaseKind, count: number) {
	const { location, demo } = inject('samples')[kind];
	const database = await copyOf(kind, location);
	const replicas = [];
	for (let started = 0; started < count; started += 1) {
		const replica = await startCommand(['start', '--port', '0'], { DATABASE_URL: database });
		cleanups.push(() => replica.child.kill('SIGKILL'));
		replicas.push(replica);
	}
	return { replicas, apiKey: demo.apiKey };
}

const agentProgram = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url));

async function startAgentCommand(service: string, token: string, id: string) {
	const folder = await mkdtemp(join(tmpdir(), 'quiet-agent-'));
	const config = join(folder, 'agent.yaml');
	const boards = [{ id, type: 'arduino-uno', driver: 'emulated' }];
	await writeFile(config, JSON.stringify({ service, token, boards, drain_timeout: 0 }));
	const child = spawn(process.execPath, [agentProgram, 'start', '--config', config], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	cleanups.push(() => child.kill('SIGKILL'));
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
	const closed = once(child, 'close').then(([code]) => code);
	return { child, closed, output: () => output };
}

/** Leases, streams, waits and channels on each replica, which nothing ends but the service. */
async function use(urls: readonly string[], apiKey: string) {
	const [first = ''] = urls;
	const client = new BoardAccess({ baseUrl: first, apiKey });
	const input = { name: 'quiet', boardType: 'quiet' };
	const board = await client.admin.boards.create(input);
	const { token } = await client.admin.agents.create({ name: 'Quiet', boardIds: [board.id] });
	const agent = await startAgentCommand(first, token ?? '', board.id);
	await vi.waitFor(() => expect(agent.output()).toContain('Connected'), 20_000);
	const lease = await client.leases.create({ boardId: board.id });
	await lease.flash(await sampleFirmware('arduino-uno'));
	await lease.channel('serial');
	const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
	const body = JSON.stringify({ board_id: board.id, wait_seconds: 600 });
	const queued = await fetch(`${first}/v1/leases`, { method: 'POST', headers, body });
	const waiting = await queued.json();
	const open: Promise<unknown>[] = [];
	for (const url of urls) {
		const get = (path: string) => fetch(`${url}/v1${path}`, { headers });
		const console = await get(`/leases/${lease.id}/console`);
		open.push(
			console.text(),
			get(`/leases/${waiting.id}?wait=60`).then((one) => one.text()),
		);
	}
	return { agent, ended: () => Promise.allSettled(open) };
}

test.each([
	['SQLite', 'service', 1],
	['SQLite', 'agent', 1],
	['PostgreSQL', 'service', 2],
] as const)('on %s, a stop of the %s first is quiet (%i replicas)', async (kind, first, count) => {
	const { replicas, apiKey } = await startReplicas(kind, count);
	const { agent, ended } = await use(
		replicas.map(({ url }) => url),
		apiKey,
	);
	const stopAgent = async () => {
		agent.child.kill('SIGTERM');
		expect(await agent.closed).toBe(0);
	};
	if (first === 'agent') {
		await stopAgent();
		expect(complaints(agent.output())).toEqual([]);
	}
	for (const { child } of replicas) child.kill('SIGTERM');
	for (const { exited } of replicas) expect(await exited).toEqual({ code: 0, signal: null });
	await ended();
	if (first === 'service') await stopAgent();
	for (const { output } of replicas) expect(complaints(output())).toEqual([]);
});

test('a stop of the demo is quiet', async () => {
	const demo = await startCommand(['start', '--demo', '--port', '0'], { LOG_LEVEL: 'warn' });
	await vi.waitFor(() => expect(demo.output()).toContain('Emulated boards'), 20_000);
	demo.child.kill('SIGTERM');
	expect(await demo.exited).toEqual({ code: 0, signal: null });
	expect(demo.output()).not.toContain('"level"');
});
