// @module-tag long
// The files in `deploy`, as shipped: proxies in front of two replicas, and compose.
import { BoardAccess } from 'board-access';
import { startAgent } from 'board-access-agent';
import { sampleFirmware } from 'board-access-agent/samples';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fromJSONSchema } from 'zod';
import { onPostgres } from './support/backends.ts';
import { createUser, openBench } from './support/bench.ts';
import composeSpec from './support/compose-spec.json' with { type: 'json' };
import { deployFile, hasProxy, type ProxyName, startProxy } from './support/proxies.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const board = 'brd_bench_1';
const boards = [{ id: board, type: 'arduino-uno', driver: 'emulated' as const }];
const names: ProxyName[] = ['caddy', 'nginx'];

describe.each(names)('two replicas behind %s', (name) => {
	/** Two replicas, and an agent and a user that only know the proxy. */
	async function openDeployment() {
		const bench = await openBench(onPostgres, { boardType: 'lab-uno', trustProxy: true });
		cleanups.push(() => bench.close());
		const database = bench.services.settings.database;
		const other = await onPostgres.open({ database, demo: false, trustProxy: true });
		cleanups.push(() => other.close());
		for (const { services, baseUrl } of [bench, other]) {
			Object.assign(services.settings, { replicaUrl: baseUrl });
		}
		const proxy = await startProxy(name, [portOf(bench.baseUrl), portOf(other.baseUrl)]);
		cleanups.push(() => proxy.close());
		const agent = await startAgent({ config: { service: proxy.url, token: bench.token, boards } });
		cleanups.push(() => agent.stop());
		await agent.whenConnected();
		const authorization = `Bearer ${bench.apiKey}`;
		const send = (path: string, init: RequestInit = {}) =>
			fetch(`${proxy.url}${path}`, { ...init, headers: { authorization, ...init.headers } });
		return { proxy, apiKey: bench.apiKey, user: createUser({ send }) };
	}

	test.skipIf(!hasProxy(name))('forward the console without buffering', async () => {
		const { user } = await openDeployment();
		const { id } = await user.activeLease({ board_id: board });
		const output = await user.console(id);
		await user.flash(id, await sampleFirmware('arduino-uno'));
		await output.see('Hello from Arduino Uno\r\n');
		await user.type(id, 'one\r');
		await output.see('ONE\r\n');
		expect(output.isClosed()).toBe(false);
		await user.release(id);
		await output.ended;
	});

	test.skipIf(!hasProxy(name))('pass on the WebSockets of channels', async () => {
		const { proxy, apiKey } = await openDeployment();
		const client = new BoardAccess({ baseUrl: proxy.url, apiKey });
		const lease = await client.leases.create({ boardId: board });
		await lease.flash(await sampleFirmware('arduino-uno'));
		const channels = await Promise.all([lease.channel('serial'), lease.channel('serial')]);
		for (const channel of channels) {
			expect(channel.transport).toBe('websocket');
			const writer = channel.writable.getWriter();
			await writer.write(Buffer.from('over a proxy\r'));
			let text = '';
			for await (const bytes of channel.readable) {
				text += Buffer.from(bytes).toString();
				if (text.includes('OVER A PROXY')) break;
			}
		}
		await lease.release();
	});

	test.skipIf(!hasProxy(name))('keep metrics and readiness to themselves', async () => {
		const { proxy } = await openDeployment();
		const statuses = await Promise.all(
			['/healthz', '/metrics', '/readyz'].map(
				async (path) => (await fetch(`${proxy.url}${path}`)).status,
			),
		);
		expect(statuses).toEqual([200, 404, 404]);
	});

	test.skipIf(!hasProxy(name))('accept firmware of 16 MiB, and reject more', async () => {
		const { user } = await openDeployment();
		const { id } = await user.activeLease({ board_id: board });
		const largest = new Uint8Array(16 * 1024 * 1024);
		// The service has received all of it, and rejects it only because the board is far smaller.
		const refused = await (await user.upload(id, largest, '?raw=true')).json();
		expect(refused.error).toMatchObject({ code: 'invalid_firmware' });
		expect((await user.upload(id, new Uint8Array(largest.length + 1))).status).toBe(413);
		await user.release(id);
	});
});

function portOf(url: string) {
	return Number(new URL(url).port);
}

describe('compose.yaml', () => {
	// Zod recognizes this draft only by its http address.
	const schema = fromJSONSchema({
		...(composeSpec as object), // TypeScript reads the types of the schema too narrowly
		$schema: 'http://json-schema.org/draft-07/schema#',
	});

	test('is valid according to the Compose Specification', async () => {
		expect(schema.safeParse(parse(await deployFile('compose.yaml'))).error).toBeUndefined();
	});

	test.each([
		['restart: unless-stopped', 'restarts: unless-stopped'],
		['replicas: 2', 'replicas: [2]'],
		['service_healthy', 'healthy'],
	])('is invalid with a mistake: %s as %s', async (right, wrong) => {
		const file = (await deployFile('compose.yaml')).replace(right, wrong);
		expect(schema.safeParse(parse(file)).success).toBe(false);
	});
});

test('compose starts two replicas of the service on one database, behind the proxy', async () => {
	const { services, volumes } = parse(await deployFile('compose.yaml'));
	expect(Object.keys(services)).toEqual(['database', 'service', 'proxy']);
	expect(services.service.deploy.replicas).toBe(2);
	expect(services.service.environment.DATABASE_URL).toContain('@database/');
	expect(services.service.environment.TRUST_PROXY).toBe('true');
	expect(services.proxy.volumes).toEqual(['./Caddyfile:/etc/caddy/Caddyfile:ro']);
	for (const [name] of services.database.volumes.map((line: string) => line.split(':'))) {
		expect(Object.keys(volumes)).toContain(name);
	}
});
