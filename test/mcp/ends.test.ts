// @module-tag long
// A session ends with its coding agent, whatever happens to that, and releases what it has leased. Needs a build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey } from '../support/client.ts';
import { createLeaseService, listen } from '../support/lease-service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { command, progressing, start, useBoards } from './support/agents.ts';

const { here, client, open } = useBoards();

/** A folder with the sample firmware. */
async function createRoot() {
	const root = await temporaryDirectory();
	await copyFile(sampleFirmwarePath('arduino-uno'), join(root, 'uno.hex'));
	return root;
}

/** What goes on without an end. */
const running = { boards: ['arduino-uno'], firmware: 'uno.hex', expect: ['Hello', 'never'] };

const gone = (pid: number) =>
	expect.poll(() => {
		try {
			return process.kill(pid, 0);
		} catch {
			return false;
		}
	});

/** All leases ended because they were released. */
async function released(count: number) {
	await expect.poll(open).toEqual([]);
	const records = (await client().leases.list()).slice(0, count);
	expect(records.map(({ endReason }) => endReason)).toEqual(Array(count).fill('released'));
}

const env = () => {
	const { baseUrl, apiKey } = here();
	return { PATH: process.env.PATH, SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey };
};

test('when the coding agent closes it, also during a call', async () => {
	const { client: agent, use, lease, pid } = await start(here(), { root: await createRoot() });
	await lease('rp2040-pico');
	const { told, options } = progressing();
	const call = use('run_firmware', running, options);
	await expect.poll(() => told.at(-1)).toBe('Shown: Hello');
	await Promise.all([agent.close(), expect(call).rejects.toThrow()]);
	await released(2);
	await gone(pid).toBe(false);
});

test('when the coding agent is killed', async () => {
	const program = fileURLToPath(new URL('./support/agent-process.ts', import.meta.url));
	const calls = [
		{ name: 'lease_board', arguments: { boards: ['rp2040-pico'] } },
		{ name: 'run_firmware', arguments: running },
	];
	const argv = [program, command, await createRoot(), JSON.stringify(calls)];
	const child = spawn(process.execPath, argv, { env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
	onTestFinished(() => void child.kill('SIGKILL'));
	let printed = '';
	child.stdout.on('data', (text) => {
		printed += text;
	});
	await expect.poll(() => printed).toContain('Shown: Hello');
	await expect.poll(open).toHaveLength(2);
	child.kill('SIGKILL');
	await released(2);
	await gone(Number(/server (\d+)/.exec(printed)?.[1])).toBe(false);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('when it gets %s', async (signal) => {
	const { use, lease, pid } = await start(here(), { root: await createRoot() });
	await lease('rp2040-pico');
	const { told, options } = progressing();
	const call = use('run_firmware', running, options);
	await expect.poll(() => told.at(-1)).toBe('Shown: Hello');
	process.kill(pid, signal);
	await expect(call).rejects.toThrow();
	await released(2);
	await gone(pid).toBe(false);
});

test('when nobody reads its answers any more, and then its input ends', async () => {
	const child = spawn(process.execPath, [command, 'mcp'], { env: env(), stdio: 'pipe' });
	onTestFinished(() => void child.kill('SIGKILL'));
	let answers = '';
	child.stdout.on('data', (text) => {
		answers += text;
	});
	const send = (message: object) =>
		child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	const clientInfo = { name: 'test', version: '1.0.0' };
	const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
	send({ id: 1, method: 'initialize', params });
	send({ method: 'notifications/initialized' });
	const use = (id: number, name: string, given: object) =>
		send({ id, method: 'tools/call', params: { name, arguments: given } });
	use(2, 'lease_board', { boards: ['rp2040-pico'] });
	await expect.poll(() => answers).toContain('lse_');
	const [lease] = await open();
	const lease_id = `${lease?.id}`;
	child.stdout.destroy();
	// The first one is answered before the last one is carried out.
	for (const id of [3, 4, 5]) use(id, 'leases', {});
	use(6, 'reset_and_capture', { lease_id });
	const actions = async () => await (await client().leases.get(lease_id)).actions();
	const reset = { action: 'reset', phase: 'use', status: 'done' };
	await expect.poll(actions).toContainEqual(expect.objectContaining(reset));
	child.stdin.end();
	expect(await once(child, 'exit')).toEqual([0, null]);
	await released(1);
});

test('a service that goes away is an error, and the session goes on when it is back', async () => {
	const service = createLeaseService();
	const first = await listen(service);
	const { use, fail, lease } = await start({ baseUrl: first.baseUrl, apiKey });
	await lease('arduino-uno');
	first.close();
	const text = await fail('leases');
	expect(text).toMatch(/^[A-Z].* /);
	expect(text).toMatch(/\nCode: \w+$/);
	const again = await listen(service, first.port);
	onTestFinished(again.close);
	expect(await use('leases')).toMatchObject({ leases: [{ lease_id: 'lse_1', status: 'active' }] });
});
