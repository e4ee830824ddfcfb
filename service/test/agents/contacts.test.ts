// The connection of an agent lasts as long as its requests show that it is alive, and no longer than it is current.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { inProcess } from '../support/backends.ts';
import { type Bench, type BenchOptions, openBench } from '../support/bench.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	vi.restoreAllMocks();
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function connect(bench: Bench, options: { silent?: boolean; bootId?: string } = {}) {
	const driven = Object.fromEntries(bench.boardIds.map((id) => [id, ['reset']]));
	const agent = await connectAgent(bench.sendAsAgent, { driven, ...options });
	cleanups.push(() => agent.cut());
	let ended = false;
	void agent.ended.then(() => {
		ended = true;
	});
	return { ...agent, isOpen: () => !ended };
}

describe.each(inProcess)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function open(options: BenchOptions = {}) {
		const bench = await openBench(opening, options);
		cleanups.push(() => bench.close());
		return bench;
	}

	const lastSeen = async ({ services, agentId }: Bench) => {
		const agents = services.database.query.selectFrom('agents').select('last_seen_at');
		const row = await agents.where('id', '=', agentId).executeTakeFirstOrThrow();
		return Date.parse(row.last_seen_at ?? '');
	};

	rule(
		'a connection lasts while its agent responds, and ends after half of the time if it does not',
		{ tags: 'long' },
		async () => {
			const bench = await open({ agentTimeout: 8 });
			const agent = await connect(bench);
			const began = await lastSeen(bench);
			await vi.waitFor(async () => expect((await lastSeen(bench)) - began).toBeGreaterThan(4_000), {
				timeout: 15_000,
				interval: 200,
			});
			expect(agent.isOpen()).toBe(true);
			const silent = await connect(bench, { silent: true, bootId: agent.bootId });
			await agent.ended;
			const startedAt = performance.now();
			await silent.ended;
			expect(performance.now() - startedAt).toBeLessThan(8_000);
			expect(silent.lines.some((line) => line.includes('"contact":true'))).toBe(true);
		},
	);

	test('a connection that another one has replaced ends without a notification', {
		tags: 'long',
	}, async () => {
		const bench = await open();
		const agent = await connect(bench);
		vi.spyOn(bench.services.wake, 'announce').mockImplementation(() => {});
		const { query } = bench.services.database;
		await query.updateTable('agents').set({ connection_id: 'another' }).execute();
		await agent.ended;
	});

	rule('an agent that gets another board says at once what it can do with it', async () => {
		const bench = await open({ boards: 2 });
		const give = (...board_ids: string[]) =>
			bench.user.json(`/admin/agents/${bench.agentId}`, 'PATCH', { board_ids });
		const statusOf = async (id: string) => (await bench.user.json(`/boards/${id}`)).body.status;
		await give('brd_bench_1');
		const agent = await connect(bench);
		expect((await give('brd_bench_1', 'brd_bench_2')).status).toBe(200);
		expect(await statusOf('brd_bench_2')).toBe('offline');
		await agent.ended;
		await connect(bench, { bootId: agent.bootId });
		expect(await statusOf('brd_bench_2')).toBe('available');
	});

	test('only a valid token shows a contact', async () => {
		const bench = await open();
		const contact = (token: string) =>
			sendAs(bench.baseUrl, token, bench.fetch)('/contact', { method: 'POST' });
		expect(await lastSeen(bench)).toBeNaN();
		const [valid, unknown] = await Promise.all([
			contact(bench.token),
			contact(`agt_${'0'.repeat(48)}`),
		]);
		expect([valid.status, unknown.status]).toEqual([204, 401]);
		await expect.poll(() => lastSeen(bench)).toBeGreaterThan(0);
		await bench.user.json(`/admin/agents/${bench.agentId}`, 'DELETE');
		expect((await contact(bench.token)).status).toBe(401);
	});
});
