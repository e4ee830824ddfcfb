// Agents that their operators drain, stop and start again, and spare ones that wait with the same token.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { controlClock } from '../../../core/test/support/time.ts';
import { backends } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent, connecting, sendAs } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const board = 'brd_bench_1';
const drained = { [board]: { draining: true } };

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function open() {
		const bench = await openBench(opening);
		cleanups.push(() => bench.close());
		const clock = controlClock(bench.services.database);
		const { user } = bench;
		const connect = async (more: Partial<Parameters<typeof connectAgent>[1]> = {}) => {
			const options = { driven: { [board]: ['reset'] }, obliging: true, ...more };
			const agent = await connectAgent(bench.sendAsAgent, options);
			cleanups.push(() => agent.cut());
			return agent;
		};
		const stop = async (bootId: string) => {
			const response = await bench.sendAsAgent('/stop', {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ boot_id: bootId }),
			});
			expect(response.status).toBe(204);
		};
		const read = async (id: string) => (await user.json(`/leases/${id}`)).body;
		const state = async () => (await user.json(`/boards/${board}`)).body;
		const isOnline = async () =>
			(await user.json(`/admin/agents/${bench.agentId}`)).body.online as boolean;
		const gone = () => vi.waitFor(async () => expect(await isOnline()).toBe(false));
		return { bench, clock, user, connect, stop, read, state, gone };
	}

	rule('a board that is drained keeps its lease, and is not leased afterwards', async () => {
		const { bench, user, connect, read, state } = await open();
		const { bootId } = await connect();
		const used = await user.activeLease({ board_id: board });
		await connect({ bootId, known: drained });
		expect(await read(used.id)).toMatchObject({ status: 'active' });
		const waiting = await user.lease({ board_id: board, wait_seconds: 600 });
		await user.release(used.id);
		await keepLeases(bench.services);
		expect(await state()).toMatchObject({
			status: 'offline',
			status_reason: expect.stringContaining('accepts no new leases'),
		});
		expect(await read(waiting.id)).toMatchObject({ status: 'queued' });
		await connect({ bootId });
		await user.waitFor(waiting.id, 'active');
	});

	test('a stop that is announced ends the leases at once, and charges them until then', async () => {
		const { bench, clock, user, connect, stop, read, state } = await open();
		const { query } = bench.services.database;
		await query.updateTable('boards').set({ credits_per_minute: 1 }).execute();
		const { bootId } = await connect();
		const { id } = await user.activeLease({ board_id: board, minutes: 10 });
		await clock.passHeard(150);
		await stop(bootId);
		clock.pass(100);
		expect(await read(id)).toMatchObject({
			status: 'ended',
			end_reason: 'agent_lost',
			end_message: 'The agent of the board was stopped.',
			credits: 3,
		});
		expect(await state()).toMatchObject({ status: 'offline' });
	});

	rule(
		'a board that was being prepared when its agent stopped goes to its lease afterwards',
		async () => {
			const { user, connect, stop, read, gone } = await open();
			const agent = await connect({ obliging: false });
			const { id } = await user.lease({ board_id: board, wait_seconds: 600 });
			await stop(agent.bootId);
			expect(await read(id)).toMatchObject({ status: 'queued' });
			await agent.cut();
			await gone();
			await connect();
			await user.waitFor(id, 'active');
		},
	);

	rule('what a stopped agent has sent before does not make its board available', async () => {
		const { connect, stop, state } = await open();
		const { bootId } = await connect();
		await stop(bootId);
		await connect({ bootId });
		expect(await state()).toMatchObject({ status: 'offline' });
	});

	rule(
		'restarts rest the board only if they were not announced, and the agent is told why',
		async () => {
			const { connect, stop, state, gone } = await open();
			for (let restart = 0; restart < 4; restart += 1) {
				const agent = await connect();
				expect(await state()).toMatchObject({ status: 'available' });
				await stop(agent.bootId);
				await agent.cut();
				await gone();
			}
			for (let crash = 0; crash < 3; crash += 1) {
				await (await connect()).cut();
				await gone();
			}
			const { lines } = await connect();
			const resting = 'The agent of this board restarts often.';
			expect(await state()).toMatchObject({ status: 'offline', status_reason: resting });
			expect(JSON.parse(lines[0] ?? '').boards).toMatchObject([{ resting }]);
		},
	);

	rule(
		'an agent on another machine takes over when the first has stopped, or is silent',
		async () => {
			const { bench, clock, connect, stop, gone } = await open();
			const attempt = async () => {
				const spare = connecting(randomUUID(), {}, 'two');
				const response = await bench.sendAsAgent('/work', spare);
				await response.body?.cancel();
				return response.status;
			};
			const first = await connect({ host: 'one' });
			// One that has not begun to work can stop at any time.
			await stop('spare');
			expect(await attempt()).toBe(409);
			await first.cut();
			await gone();
			// It may only have lost its connection.
			expect(await attempt()).toBe(409);
			const { bootId } = first;
			const again = await connect({ host: 'one', bootId });
			await stop(bootId);
			// It still clears its boards.
			expect(await attempt()).toBe(409);
			await again.cut();
			await gone();
			expect(await attempt()).toBe(200);
			await gone();
			clock.pass(31);
			await (await connect({ host: 'one' })).cut();
		},
	);

	test('a token is replaced while a lease goes on', async () => {
		const { bench, clock, user, connect, read } = await open();
		const { bootId } = await connect();
		const { id } = await user.activeLease({ board_id: board, minutes: 5 });
		const path = `/admin/agents/${bench.agentId}/token`;
		const unused = (await user.json(path, 'POST')).body;
		const { status, body } = await user.json(path, 'POST');
		expect(status).toBe(201);
		expect(body).toMatchObject({ id: bench.agentId, token: expect.stringMatching(/^agt_/) });
		expect(body.hint).toBe(`${body.token.slice(0, 8)}…${body.token.slice(-4)}`);
		/** The status of a request with a token: 404 if it works, because there is no such file. */
		const use = async (token: string) => {
			const send = sendAs(bench.baseUrl, token, bench.fetch);
			return (await send(`/files/fil_none?fence=1&board_id=${board}`)).status;
		};
		expect(await use(unused.token)).toBe(401);
		await connect({ bootId });
		expect([await use(bench.token), await use(body.token)]).toEqual([404, 404]);
		const send = sendAs(bench.baseUrl, body.token, bench.fetch);
		const agent = await connectAgent(send, { driven: { [board]: ['reset'] }, bootId });
		cleanups.push(() => agent.cut());
		expect([await use(bench.token), await use(body.token)]).toEqual([401, 404]);
		expect(await read(id)).toMatchObject({ status: 'active' });
		const kinds = (await user.json('/admin/activity')).body.data.map(
			({ kind }: { kind: string }) => kind,
		);
		expect(kinds).toContain('agent.token_rotated');
		await user.json(path, 'POST');
		await clock.passHeard(12 * 3600);
		// Another replacement does not lengthen its time.
		await user.json(path, 'POST');
		await clock.passHeard(12 * 3600 - 10);
		expect(await use(body.token)).toBe(404);
		clock.pass(20);
		expect(await use(body.token)).toBe(401);
		// The one that has ended does not come back with another replacement.
		await user.json(path, 'POST');
		expect(await use(body.token)).toBe(401);
		expect((await user.json('/admin/agents/agt_none/token', 'POST')).status).toBe(404);
	});
});
