import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { importBoards } from '../../../core/src/boards/import.ts';
import definitions from '../../src/server/metrics.json' with { type: 'json' };
import { startServer } from '../../src/server.ts';
import { backends, onSqlite } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	vi.useRealTimers();
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Metrics = { text(): Promise<string> };

/** Reads the value of a series from metrics that are collected anew. */
async function scrape({ metrics }: { metrics: Metrics }) {
	vi.useFakeTimers({ toFake: ['setTimeout'] });
	await metrics.text();
	vi.advanceTimersByTime(60_000);
	const text = await metrics.text();
	vi.advanceTimersByTime(60_000);
	vi.useRealTimers();
	return (series: string) => {
		const line = text.split('\n').find((line) => line.startsWith(`board_access_${series} `));
		return line === undefined ? undefined : Number(line.split(' ').at(-1));
	};
}

describe.each(backends)('metrics $name', (opening) => {
	test('show boards, agents, queue, leases and consoles', async () => {
		const limits = { rateLimitConsoleInput: 1 };
		const bench = await openBench(opening, { boardType: 'metered', boards: 2, ...limits });
		cleanups.push(bench.close);
		const { user, boardIds, sendAsAgent, services } = bench;
		const [board = ''] = boardIds;
		const driven = { [board]: ['reset'] };
		const agent = await connectAgent(sendAsAgent, { driven });
		cleanups.push(agent.cut);
		/** Reports the next step of the preparation. */
		const end = async (status: string, former?: string) => {
			const { actions, fence } = await vi.waitFor(() => {
				const { actions = [] } = agent.lease(board) ?? {};
				expect(actions[0]?.id).toSatisfy((id) => id !== undefined && id !== former);
				return { actions, fence: agent.fence(board) };
			});
			const id = actions[0]?.id ?? '';
			expect((await agent.report(id, { fence, status, cause: 'timeout' })).status).toBe(204);
			return { id, fence };
		};
		const held = await user.lease({ board_id: board });
		const waiting = await user.lease({ board_id: board, wait_seconds: 60 });

		const { id: failed } = await end('failed');
		const { fence } = await end('done', failed);
		await user.waitFor(held.id, 'active');
		await agent.write(held.id, { fence, offset: 0, data: 'hello' });
		const pieces = [await user.type(held.id, 'abc'), await user.type(held.id, 'd')];
		expect(pieces.map(({ status }) => status)).toEqual([204, 429]);

		const live = await scrape(services);
		expect(live('boards{board_type="metered",status="in_use"}')).toBe(1);
		expect(live('boards{board_type="metered",status="offline"}')).toBe(1);
		expect(live('boards{board_type="metered",status="available"}')).toBe(0);
		expect(live('agents{state="connected"}')).toBe(1);
		expect(live('agents{state="disconnected"}')).toBe(0);
		expect(live('leases{board_type="metered",status="queued"}')).toBe(1);
		expect(live('leases{board_type="metered",status="active"}')).toBe(1);
		expect(live('queue_oldest_seconds{board_type="metered"}')).toBeGreaterThan(0);
		// Twice for the first lease, because its preparation failed; its wait is that of the first time.
		expect(live('leases_granted_total{board_type="metered"}')).toBe(2);
		expect(live('lease_wait_seconds_count{board_type="metered",via="api_key"}')).toBe(1);
		expect(live('failures_total{cause="timeout",phase="preparation"}')).toBe(1);
		expect(live('console_bytes_total{direction="output"}')).toBe(5);
		expect(live('console_bytes_total{direction="input"}')).toBe(3);
		expect(live('requests_limited_total{limit="console-input"}')).toBe(1);
		expect(live('database_up')).toBe(1);
		expect(live('database_bytes{state="used"}')).toBeGreaterThan(100_000);

		await user.release(waiting.id);
		await user.release(held.id);
		const ended = await scrape(services);
		expect(ended('leases_ended_total{reason="cancelled"}')).toBe(1);
		expect(ended('leases_ended_total{reason="released"}')).toBe(1);
		expect(ended('leases_ended_total{reason="expired"}')).toBe(0);
		expect(ended('leases{board_type="metered",status="queued"}')).toBe(0);
		expect(ended('queue_oldest_seconds{board_type="metered"}')).toBe(0);
	});

	test('tell of a database that is away', async () => {
		const { services, close } = await opening.open();
		cleanups.push(close);
		const away = vi.spyOn(services.database.reader, 'getExecutor').mockImplementation(() => {
			throw new Error('away');
		});
		const figures = await scrape(services);
		away.mockRestore();
		expect(figures('database_up')).toBe(0);
		expect(figures('agents{state="connected"}')).toBeUndefined();
		expect(figures('leases_ended_total{reason="released"}')).toBe(0);
	});
});

test('the number of board types in metrics has a limit', async () => {
	const { services, close } = await onSqlite.open();
	cleanups.push(close);
	const { query } = services.database;
	const types = Array.from({ length: 80 }, (_, index) => `type-${index}`);
	const plain = { status: 'available', description: '', tags: {} } as const;
	await importBoards(
		query,
		types.map((type) => ({ ...plain, id: `brd_${type}`, name: type, board_type: type })),
	);
	const { all } = await query
		.selectFrom('boards')
		.select(({ fn }) => fn.countAll<number>().as('all'))
		.executeTakeFirstOrThrow();
	await scrape(services);
	const lines = (await services.metrics.text()).match(/^board_access_boards{.*$/gm) ?? [];
	const labels = lines.map((line) => /board_type="([^"]+)"/.exec(line)?.[1]);
	expect(new Set(labels).size).toBe(51);
	expect(labels).toContain('other');
	const counts = lines.map((line) => Number(line.split(' ').at(-1)));
	expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all);
});

test('metrics are collected once in three seconds, however often they are read', async () => {
	const { services, close } = await onSqlite.open();
	cleanups.push(close);
	vi.useFakeTimers({ toFake: ['setTimeout'] });
	const { metrics, database } = services;
	const first = metrics.text();
	expect(metrics.text()).toBe(first);
	await first;
	const added = { id: 'brd_new', name: 'new', board_type: 'new', status: 'available' } as const;
	await importBoards(database.query, [{ ...added, description: '', tags: {} }]);
	vi.advanceTimersByTime(2_999);
	expect(metrics.text()).toBe(first);
	vi.advanceTimersByTime(1);
	expect(await metrics.text()).toContain('board_access_boards{board_type="new"');
	expect(await first).not.toContain('board_type="new"');
});

test('the guide lists every metric with its type and labels', async () => {
	const service = await startServer({ database: ':memory:', port: 0, host: '127.0.0.1' });
	cleanups.push(service.stop);
	const exposed = await service.services.metrics.text();
	const guide = await readFile(new URL('../../../docs/guides/hosting.md', import.meta.url), 'utf8');
	const rows = guide.matchAll(/^\| `(board_access_\w+)` \| (\w+) \| (.*?) \|/gm);
	const listed = [...rows].map(([, name, type, labels = '']) => [
		name,
		type,
		[...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
	]);
	const types = new Map([...exposed.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, n, t]) => [n, t]));
	const { counters, histograms, gauges } = definitions;
	const defined = Object.entries({ ...counters, ...histograms, ...gauges }).map(
		([name, { labelNames }]) => [
			`board_access_${name}`,
			types.get(`board_access_${name}`),
			labelNames,
		],
	);
	expect(listed.sort()).toEqual(defined.sort());
	const own = [...types.keys()].filter((name) => name?.startsWith('board_access_'));
	expect(own.sort()).toEqual(listed.map(([name]) => name));
	expect(types.get('nodejs_eventloop_lag_p99_seconds')).toBe('gauge');
});
