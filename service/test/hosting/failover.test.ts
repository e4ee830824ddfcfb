// @module-tag long
// The primary of PostgreSQL is lost: the standby takes over behind the shipped HAProxy configuration.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from 'board-access-agent';
import postgres from 'pg';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../../core/test/support/free-port.ts';
import { createPostgres, startPostgres } from '../../../core/test/support/postgres.ts';
import { onPostgres } from '../support/backends.ts';
import { createUser, openBench } from '../support/bench.ts';
import { deployFile } from '../support/proxies.ts';

type Cluster = Awaited<ReturnType<typeof startPostgres>>;

/** Of AGENT_TIMEOUT. */
const seconds = 3;

const isStandby = 'select pg_is_in_recovery() as standby';

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
	for (const cleanup of cleanups.reverse()) await cleanup();
});

// CI installs HAProxy; elsewhere it may be missing.
const hasHaproxy =
	process.env.REQUIRE_TOOLS !== undefined || spawnSync('haproxy', ['-v']).error === undefined;

test.skipIf(!hasHaproxy)(
	'after a failover the service goes on by itself, and has lost nothing that it confirmed',
	async () => {
		const { primary, standby } = await openPair();
		const location = await createPostgres(primary.url);
		const proxied = location.replace(portOf(primary.url), await startProxy([primary, standby]));
		const bench = await openBench(onPostgres, {
			database: proxied,
			agentTimeout: seconds,
			// The writer does not pause while it is rejected.
			rateLimitPerKey: 1_000_000,
			rateLimitPerAccount: 1_000_000,
		});
		cleanups.push(() => bench.close());
		const agent = await startAgent({
			config: {
				service: bench.baseUrl,
				token: bench.token,
				boards: [{ id: 'brd_bench_1', type: 'arduino-uno', driver: 'emulated' }],
			},
		});
		cleanups.push(() => agent.stop());
		await agent.whenConnected();
		const user = createUser(bench);
		const lease = await user.activeLease({ board_id: 'brd_bench_1', wait_seconds: 30 });

		const writer = startWriter(user);
		await expect.poll(() => writer.confirmed.length).toBeGreaterThan(20);
		const killed = performance.now();
		await kill(primary);
		// An agent that is silent for this long is lost, unless the service could not listen.
		await expect.poll(() => performance.now() - killed).toBeGreaterThan(seconds * 2_000);
		const away = writer.rejected.length;
		const promoted = performance.now();
		await ask(`${standby.url}/postgres`, 'select pg_promote()');
		const before = writer.confirmed.length;
		await expect.poll(() => writer.confirmed.length).toBeGreaterThan(before + 20);
		process.stdout.write(`Writes again after ${Math.round(writer.resumed() - promoted)} ms.\n`);
		expect(away).toBeGreaterThan(0);
		await writer.stop();

		// 500 is for a commit without a response: such a key may exist or not.
		expect(new Set(writer.rejected)).toSatisfy((statuses: Set<number>) =>
			[...statuses].every((status) => status === 503 || status === 500),
		);
		const saved = await ask(proxied, 'select id from api_keys');
		expect(saved.map(({ id }) => id)).toEqual(expect.arrayContaining(writer.confirmed));
		expect((await user.json(`/leases/${lease.id}`)).body).toMatchObject({ status: 'active' });
		expect((await user.act(lease.id, { action: 'reset' })).status).toBe('done');
		await expect.poll(async () => (await bench.send('/readyz')).status).toBe(200);
	},
	180_000,
);

/** A primary that confirms a commit only when its standby has it, too. */
async function openPair() {
	const primary = await startPostgres(['-c', 'synchronous_standby_names=standby']);
	cleanups.push(() => primary.remove());
	await primary.stop();
	const { port, username, password } = new URL(primary.url);
	const from = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
	const standby = await startPostgres(
		['-c', `primary_conninfo=${from} application_name=standby`],
		async (folder) => {
			execFileSync('cp', ['-a', primary.databaseDir, folder]);
			execFileSync('cp', ['-a', join(folder, 'PG_VERSION'), join(folder, 'standby.signal')]);
			await primary.start();
		},
	);
	cleanups.push(() => standby.remove());
	await expect
		.poll(() => ask(`${primary.url}/postgres`, 'select sync_state from pg_stat_replication'))
		.toEqual([{ sync_state: 'sync' }]);
	return { primary, standby };
}

async function ask(connectionString: string, statement: string) {
	const client = new postgres.Client({ connectionString, connectionTimeoutMillis: 3_000 });
	// A lost connection fails the query, too.
	client.on('error', () => {});
	await client.connect();
	const { rows } = await client.query(statement);
	await client.end();
	return rows;
}

function portOf(url: string) {
	return new URL(url).port;
}

/** As when the machine loses its power: nothing is finished or written. */
async function kill({ databaseDir }: Cluster) {
	const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
	process.kill(Number(pid), 'SIGKILL');
}

/** HAProxy as shipped, with these two behind it; returns its port. */
async function startProxy(clusters: [Cluster, Cluster]) {
	const port = String(await freePort());
	let configuration = (await deployFile('haproxy.cfg')).replace(
		'bind 127.0.0.1:5000',
		`bind 127.0.0.1:${port}`,
	);
	for (const [index, cluster] of clusters.entries()) {
		const name = `10.0.0.1${index + 1}:5432 check port 8008`;
		expect(configuration).toContain(name);
		const own = `127.0.0.1:${portOf(cluster.url)} check port ${await startRoleServer(cluster)}`;
		configuration = configuration.replace(name, own);
	}
	const folder = await mkdtemp(join(tmpdir(), 'board-access-haproxy-'));
	cleanups.push(() => rm(folder, { recursive: true }));
	await writeFile(join(folder, 'haproxy.cfg'), configuration);
	const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
	cleanups.push(() => end(child));
	const address = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
	// HAProxy counts the standby in until its first check.
	const turns = () => Promise.all(Array.from({ length: 4 }, () => ask(address, isStandby)));
	await expect.poll(turns).toEqual(Array(4).fill([{ standby: false }]));
	return port;
}

/** What Patroni says about its cluster: 200 from the primary, 503 from a standby. */
async function startRoleServer({ url }: Cluster) {
	const server = createServer(async (_request, response) => {
		const [row] = await ask(`${url}/postgres`, isStandby).catch(() => []);
		response.writeHead(row?.standby === false ? 200 : 503).end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	cleanups.push(() => server.close());
	return (server.address() as AddressInfo).port; // it listens on a port
}

function end(child: ChildProcess) {
	const exited = once(child, 'exit');
	child.kill('SIGKILL');
	return exited;
}

/** Creates keys one after the other, and remembers which ones the service has confirmed. */
function startWriter(user: ReturnType<typeof createUser>) {
	const confirmed: string[] = [];
	const rejected: number[] = [];
	let isOver = false;
	let resumed = 0;
	const write = async () => {
		while (!isOver) {
			const { status, body } = await user.json('/auth/keys', 'POST');
			if (status !== 201) {
				rejected.push(status);
				resumed = 0;
				continue;
			}
			if (resumed === 0) resumed = performance.now();
			confirmed.push(body.id);
		}
	};
	const writing = write();
	const stop = () => {
		isOver = true;
		return writing;
	};
	return { confirmed, rejected, resumed: () => resumed, stop };
}
