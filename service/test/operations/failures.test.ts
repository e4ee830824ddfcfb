// Failures are recorded when they happen, with their cause, whatever becomes of the lease.
import { afterEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../core/src/database/clock.ts';
import { deleteExpired } from '../../../core/src/housekeeping.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { controlClock } from '../../../core/test/support/time.ts';
import { inProcess } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent, connecting } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const board = 'brd_bench_1';

describe.each(inProcess)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function open({ prepares = false } = {}) {
		const bench = await openBench(opening, { leasePreparationSeconds: 60 });
		cleanups.push(() => bench.close());
		const { query } = bench.services.database;
		const agent = await connectAgent(bench.sendAsAgent, {
			driven: { [board]: prepares ? ['flash', 'reset'] : ['flash', 'power_on'] },
		});
		cleanups.push(() => agent.cut());
		const clock = controlClock(bench.services.database);
		const lease = () => bench.user.lease({ board_id: board, wait_seconds: 600 });
		/** Reports the next open action as failed. */
		const fail = async (more: object) => {
			await expect.poll(() => agent.lease(board)?.actions[0]).toBeDefined();
			const { id } = agent.lease(board)?.actions[0] ?? { id: '' };
			const body = { fence: agent.fence(board), status: 'failed', ...more };
			for (let time = 0; time < 2; time += 1) await agent.report(id, body);
		};
		const causes = async () => {
			const rows = await query.selectFrom('failures').selectAll().orderBy('created_at').execute();
			for (const row of rows) {
				expect(row).toMatchObject({ board_id: board, agent_id: bench.agentId });
			}
			return rows.map(({ cause, lease_id }) => [cause, lease_id]);
		};
		return { ...bench, query, agent, clock, lease, fail, causes };
	}

	rule('of an action of the user, with the cause that the agent reports, once', async () => {
		const { user, lease, fail, causes } = await open();
		const { id } = await lease();
		await user.json(`/leases/${id}/actions`, 'POST', { action: 'power_on' });
		await fail({ cause: 'no_device' });
		expect(await causes()).toEqual([['no_device', id]]);
	});

	test.each([false, true])('an agent that is lost (during a preparation: %s)', async (prepares) => {
		const { services, clock, lease, agent, causes } = await open({ prepares });
		const { id } = await lease();
		await agent.cut();
		clock.pass(46);
		await keepLeases(services);
		await keepLeases(services);
		expect(await causes()).toEqual([['agent_lost', id]]);
	});

	test('are deleted with the activity of their time', async () => {
		const { services, query, clock, lease, fail, causes } = await open({ prepares: true });
		await lease();
		await fail({});
		clock.pass(services.settings.activityDays * 24 * 3600 - 60);
		await deleteExpired(query, services.settings);
		expect(await causes()).toHaveLength(1);
		clock.pass(120);
		await deleteExpired(query, services.settings);
		expect(await causes()).toEqual([]);
	});

	rule(
		'an agent that says that it runs for longer than there are computers is rejected',
		async () => {
			const { sendAsAgent, agent } = await open();
			const { body, ...rest } = connecting(agent.bootId);
			const sent = { ...JSON.parse(body), uptime_ms: 9e15 };
			const response = await sendAsAgent('/work', { ...rest, body: JSON.stringify(sent) });
			expect(response.status).toBe(400);
			expect(await response.json()).toMatchObject({
				error: { code: 'invalid_request', errors: [{ path: 'uptime_ms' }] },
			});
		},
	);

	test('what an agent says of itself is stored, and an older agent says nothing', async () => {
		const { query, agentId, sendAsAgent, services, agent } = await open();
		const read = () =>
			query
				.selectFrom('agents')
				.select(['version', 'host', 'started_at'])
				.where('id', '=', agentId)
				.executeTakeFirstOrThrow();
		expect(await read()).toEqual({ version: null, host: null, started_at: null });
		const time = services.database.clock.now();
		Object.assign(services.database.clock, { now: () => time });
		const { body, ...rest } = connecting(agent.bootId);
		const program = { version: '0.14.2', host: 'rack-1', uptime_ms: 90_000 };
		const sent = { ...rest, body: JSON.stringify({ ...JSON.parse(body), ...program }) };
		const response = await sendAsAgent('/work', sent);
		expect(response.status).toBe(200);
		cleanups.push(async () => response.body?.cancel());
		const started_at = timestamp(time - 90_000);
		expect(await read()).toEqual({ version: '0.14.2', host: 'rack-1', started_at });
	});
});
