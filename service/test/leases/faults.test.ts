// What a lease survives: slow preparations, agents that are offline or restarted, two agents with one token.
import { copyFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { issueAgent } from '../../../core/src/agents/store.ts';
import { requestLeases } from '../../../core/src/leases/queue/create.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { openConnection } from '../../../core/src/link/connection.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, emptyDatabase, ruleTest } from '../../../core/test/support/databases.ts';
import { controlClock } from '../../../core/test/support/time.ts';
import { backends } from '../support/backends.ts';
import { type BenchOptions, openBench } from '../support/bench.ts';
import { openLab } from '../support/leasing.ts';
import { connectAgent, connecting, sendAs } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const board = 'brd_bench_1';

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	/** A bench with a board that is prepared by a reset, once the agent reports it. */
	async function open(options: BenchOptions = {}) {
		const bench = await openBench(opening, options);
		cleanups.push(() => bench.close());
		const clock = controlClock(bench.services.database);
		const read = async (id: string) => (await bench.user.json(`/leases/${id}`)).body;
		const actions = async (id: string) =>
			(await bench.user.json(`/leases/${id}/actions`)).body.data;
		const connect = async (more: Partial<Parameters<typeof connectAgent>[1]> = {}) => {
			const driven = Object.fromEntries(bench.boardIds.map((id) => [id, ['reset']]));
			const agent = await connectAgent(bench.sendAsAgent, { driven, ...more });
			cleanups.push(() => agent.cut());
			return agent;
		};
		/** What the agent reports of the last action of the lease. */
		const report = async (agent: Awaited<ReturnType<typeof connect>>, id: string, body: object) => {
			const { board_id } = await read(id);
			const fence = (
				await bench.services.database.query
					.selectFrom('boards')
					.select('fence')
					.where('id', '=', board_id)
					.executeTakeFirstOrThrow()
			).fence;
			const action = (await actions(id)).at(-1);
			expect((await agent.report(action.id, { fence, ...body })).status).toBe(204);
		};
		const state = async () => (await bench.user.json(`/boards/${board}`)).body;
		return { bench, clock, read, actions, connect, report, state, user: bench.user };
	}

	test('a preparation that the agent does not begin fails at its limit, and says so', async () => {
		const { bench, clock, read, connect, state, user } = await open({
			leasePreparationSeconds: 60,
		});
		await connect();
		const lease = await user.lease({ board_id: board, minutes: 1 });
		const limit = Date.parse(lease.preparation_expires_at) - Date.parse(lease.created_at);
		expect(limit).toBeGreaterThanOrEqual(60_000);
		await clock.passHeard(61);
		await keepLeases(bench.services);
		expect(await read(lease.id)).toMatchObject({ status: 'preparing' });
		await clock.passHeard(61);
		await keepLeases(bench.services);
		expect(await read(lease.id)).toMatchObject({
			end_reason: 'prepare_failed',
			end_message: expect.stringMatching(/reset: not done within 60 seconds.*agent to begin it/),
			credits: 0,
		});
		expect(await state()).toMatchObject({ status: 'maintenance' });
	});

	rule(
		'a preparation that fails because of the agent costs neither the lease nor the board',
		async () => {
			const { bench, clock, read, connect, report, state, user } = await open();
			const agent = await connect();
			const { id } = await user.lease({ board_id: board, wait_seconds: 3600 });
			for (let count = 0; count < 4; count += 1) {
				const message = 'no space left on device';
				await report(agent, id, { status: 'failed', message, cause: 'agent' });
				expect(await read(id)).toMatchObject({ status: 'queued', queue_position: 1 });
				expect(await state()).toMatchObject({
					status: 'offline',
					status_reason: expect.stringMatching(/cannot prepare boards. reset: no space left/),
				});
				await clock.passHeard(31);
				await keepLeases(bench.services);
				expect(await read(id)).toMatchObject({ status: 'preparing' });
			}
			await report(agent, id, { status: 'done' });
			expect(await read(id)).toMatchObject({ status: 'active' });
			expect(await state()).toMatchObject({ status: 'in_use', status_reason: '' });
		},
	);

	test('what an agent sends late of the board before is not taken for that of the next board', async () => {
		const { bench, connect, read, report, user } = await open({ boards: 2 });
		const agent = await connect();
		const { id } = await user.lease({ board_type: 'bench', wait_seconds: 3600 });
		await expect.poll(() => agent.lease(board)?.id).toBe(id);
		const fence = agent.fence(board);
		await bench.services.database.query
			.updateTable('boards')
			.set({ base_status: 'maintenance' })
			.where('id', '=', board)
			.execute();
		await report(agent, id, { status: 'failed', message: 'no reset' });
		await keepLeases(bench.services);
		expect(await read(id)).toMatchObject({ status: 'preparing', board_id: 'brd_bench_2' });
		const late = await agent.write(id, { fence, offset: 0, data: 'of the board before' });
		expect((await late.json()).error.code).toBe('fence_outdated');
		await report(agent, id, { status: 'done' });
		expect(await read(id)).toMatchObject({ status: 'active' });
	});

	test('a second agent with the same token is rejected while the first is connected', async () => {
		const { bench, read, connect, report, user } = await open();
		const agent = await connect();
		const { id } = await user.lease({ board_id: board });
		const refused = await bench.sendAsAgent('/work', connecting('second'));
		expect(refused.status).toBe(409);
		expect((await refused.json()).error.code).toBe('agent_connected');
		expect(await read(id)).toMatchObject({ status: 'preparing' });
		await report(agent, id, { status: 'done' });
		await agent.cut();
		// Closed, so that another one is welcome at once.
		await connect();
		expect(await read(id)).toMatchObject({ status: 'ended', end_reason: 'agent_lost' });
	});

	rule(
		'a second agent connects once the first is silent, even if its connection was never closed',
		async () => {
			const { bench, clock, connect } = await open();
			await connect();
			clock.pass(31);
			const response = await bench.sendAsAgent('/work', connecting('second'));
			expect(response.status).toBe(200);
			await response.body?.cancel();
		},
	);

	rule('an agent that restarts again and again costs nobody a backend in the queue', async () => {
		const { bench, clock, read, connect, state, user } = await open();
		const first = await connect();
		const { id, created_at } = await user.lease({ board_id: board, wait_seconds: 600 });
		const { id: later } = await user.lease({ board_id: board, wait_seconds: 600 });
		await first.cut();
		await (await connect()).cut();
		expect(await read(id)).toMatchObject({ status: 'preparing', created_at });
		await connect();
		expect(await read(id)).toMatchObject({ status: 'queued', queue_position: 1 });
		expect(await state()).toMatchObject({
			status: 'offline',
			status_reason: 'The agent of this board restarts often.',
		});
		await clock.passHeard(31);
		await keepLeases(bench.services);
		expect(await read(id)).toMatchObject({ status: 'preparing', created_at });
		expect(await read(later)).toMatchObject({ status: 'queued', queue_position: 1 });
	});

	rule('a lease that the agent released is not kept', async () => {
		const { read, connect, report, user } = await open({ boards: 2 });
		const agent = await connect();
		const used = await user.lease({ board_id: board });
		await report(agent, used.id, { status: 'done' });
		const prepared = await user.lease({ board_id: 'brd_bench_2', wait_seconds: 60 });
		const { bootId } = agent;
		const known = { fence: 1, released: true };
		const back = await connect({ bootId, known: { [board]: known, brd_bench_2: known } });
		expect(await read(used.id)).toMatchObject({
			end_reason: 'agent_lost',
			end_message: expect.stringMatching(/released the lease/),
		});
		// The other goes back to the queue, and gets its board again at once.
		expect(await read(prepared.id)).toMatchObject({ status: 'preparing' });
		expect(back.fence('brd_bench_2')).toBe(2);
	});

	describe('a lease of which a restored backup knows', () => {
		const openUsed = async () => {
			const opened = await open();
			const agent = await opened.connect();
			const { id } = await opened.user.lease({ board_id: board, wait_seconds: 60 });
			const know = (lease: object) => {
				const known = { output: 3, input: 2, taken: 2, console_change: 1, id, ...lease };
				return opened.connect({
					bootId: agent.bootId,
					known: { [board]: { fence: 1, lease: known } },
				});
			};
			const use = async () => {
				await opened.report(agent, id, { status: 'done' });
				const console = encodeURIComponent('{"change":1,"status":"connected","gap_ms":0}');
				const query = `&console=${console}`;
				await agent.write(id, { fence: 1, offset: 0, data: 'abc', query });
				await opened.bench.user.type(id, 'xy');
				await agent.write(id, { fence: 1, offset: 3, data: '', query: '&input=2' });
				// Typed before the agent has connected again.
				await opened.bench.user.type(id, 'z');
			};
			return { ...opened, id, know, use };
		};

		test('all that the agent knows is kept', async () => {
			const { id, know, use, read } = await openUsed();
			await use();
			await know({});
			expect(await read(id)).toMatchObject({ status: 'active' });
		});

		rule.each([
			['the output', { output: 4 }],
			['the input that it has', { input: 4 }],
			['the input that it has written', { input: 3, taken: 3 }],
			['the console', { console_change: 2 }],
		])('less than the agent, of %s, ends', async (_, more) => {
			const { id, know, use, read } = await openUsed();
			await use();
			await know(more);
			expect(await read(id)).toMatchObject({
				end_reason: 'agent_lost',
				end_message: expect.stringMatching(/restored from a backup/),
			});
		});

		rule.each([
			['less than the agent goes back to the queue while it is prepared', { output: 1 }],
			['nothing, under whose fence it granted another, is granted again', { id: 'lse_other' }],
		])('%s', async (_, lease) => {
			const { id, know, read } = await openUsed();
			const nothing = { output: 0, input: 0, taken: 0, console_change: 0 };
			const back = await know({ ...nothing, ...lease });
			expect(await read(id)).toMatchObject({ status: 'preparing' });
			expect(back.fence(board)).toBe(2);
		});
	});

	test('an agent cannot use up the fences of a board', async () => {
		const { connect, user } = await open();
		const highest = 2 ** 31 - 1;
		const { bootId } = await connect({ known: { [board]: { fence: highest } } });
		await user.lease({ board_id: board });
		const agent = await connect({ bootId });
		const fence = agent.fence(board);
		expect(fence).toBe(1_000_000_001);
		// The board can move to another agent, which knows its fence.
		expect((await connect({ bootId, known: { [board]: { fence } } })).fence(board)).toBe(fence);
	});

	rule('an older release of a board does not end its current lease', async () => {
		const { read, connect, user } = await open();
		const agent = await connect();
		await user.release((await user.lease({ board_id: board })).id);
		const { id } = await user.lease({ board_id: board });
		const known = { [board]: { fence: 1, released: true } };
		const back = await connect({ bootId: agent.bootId, known });
		expect(await read(id)).toMatchObject({ status: 'preparing' });
		// It would get its board again at once.
		expect(back.fence(board)).toBe(2);
	});
});

describe.each(databaseKinds)('on %s', (kind) => {
	const rule = ruleTest(kind);

	test('a lease that goes back to the queue gets any board at the price that was accepted', async () => {
		const [cheap, dear] = unoBoards(2);
		if (!cheap || !dear) throw new Error('There are two boards');
		const lab = await openLab(kind, {
			boards: [
				{ ...cheap, credits_per_minute: 1 },
				{ ...dear, credits_per_minute: 5 },
			],
		});
		cleanups.push(() => lab.close());
		const clock = controlClock(lab.services.database);
		await addAgent(lab.query, ['brd_uno_1'], ['reset']);
		const user = await lab.account({ credits: 60 });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10, wait_seconds: 900 });
		expect(lease).toMatchObject({ status: 'preparing', board_id: 'brd_uno_1' });
		// The credits for the dearer board stay held.
		const other = await user.lease({ board_type: 'uno', minutes: 11, wait_seconds: 900 });
		expect(other.body.error).toMatchObject({ message: expect.stringMatching(/have 10 available/) });
		clock.pass(60);
		await keepLeases(lab.services);
		expect(await user.read(lease.id)).toMatchObject({ status: 'active', board_id: 'brd_uno_2' });
		expect((await user.release(lease.id)).body.credits).toBe(5);
	});

	rule(
		'an outage of 25 seconds loses no lease, whenever the agent was last connected',
		async () => {
			const lab = await openLab(kind, { boards: unoBoards(1, { credits_per_minute: 1 }) });
			cleanups.push(() => lab.close());
			const clock = controlClock(lab.services.database);
			await addAgent(lab.query, ['brd_uno_1']);
			const user = await lab.account({ credits: 10 });
			const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
			await clock.passHeard(70);
			// The outage begins when the agent is due to reconnect, after 15 seconds.
			clock.pass(15 + 25);
			await keepLeases(lab.services);
			expect(await user.read(lease.id)).toMatchObject({ status: 'active' });
			clock.pass(10);
			await keepLeases(lab.services);
			expect(await user.read(lease.id)).toMatchObject({ end_reason: 'agent_lost', credits: 2 });
		},
	);
});

test('a board that is granted while its fence is raised is granted again, with the new fence', async () => {
	const lab = await openLab('PostgreSQL', { boards: unoBoards(1) });
	cleanups.push(() => lab.close());
	const { id: agentId } = await addAgent(lab.query, ['brd_uno_1'], ['reset']);
	const { id: accountId } = await lab.account();
	const can = { actions: ['reset' as const], console: false, between_leases: 'keep' as const };
	const boards = { brd_uno_1: { ...can, fence: 9 } };
	const connection = { agentId, tokenHash: '', boot_id: 'first', boards };
	const input = {
		board_type: 'uno',
		minutes: 10,
		wait_seconds: 600,
		requires_agent: true,
		tags: {},
	};
	let opened: ReturnType<typeof openConnection> | undefined;
	const { id } = await lab.query.transaction().execute(async (db) => {
		const terms = { ...input, heartbeat: false };
		const wanted = { holder: { accountId }, terms, boards: [[null, terms]] } as const;
		const database = { ...lab.services.database, query: db };
		const [lease] = await requestLeases({ ...lab.services, database }, wanted);
		opened = openConnection(lab.services, connection);
		// The grant is committed once the connection waits for it.
		const waiting = sql`select 1 from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`;
		await expect.poll(async () => (await waiting.execute(lab.query)).rows).toHaveLength(1);
		return lease;
	});
	await opened;
	const lease = lab.query.selectFrom('leases').select(['status', 'fence']).where('id', '=', id);
	expect(await lease.executeTakeFirst()).toEqual({ status: 'preparing', fence: 10 });
});

test('after an older backup is restored, the boards of running agents are leased again', async () => {
	const location = await emptyDatabase('SQLite');
	const lab = await openLab('SQLite', { database: location, boards: unoBoards(1) });
	const { token } = await issueAgent(lab.query, { name: 'Lab', board_ids: ['brd_uno_1'] });
	const driven = { brd_uno_1: ['reset'] };
	const inProcess = ({ app }: Pick<typeof lab, 'app'>) =>
		sendAs('http://localhost', token, async (input, init) =>
			app.fetch(new Request(input, init), {}),
		);
	const agent = await connectAgent(inProcess(lab), { driven, obliging: true });
	const user = await lab.account();
	await user.lease({ board_type: 'uno' });
	await agent.cut();
	await lab.close();
	await copyFile(location, `${location}.backup`);

	// The service continues, and the agent sees newer leases.
	const later = await openLab('SQLite', { database: location });
	const same = { driven, bootId: agent.bootId };
	const served = await connectAgent(inProcess(later), same);
	const key = later.requests(user.key);
	await key.release((await key.send('GET', '/leases')).body.data[0].id);
	for (let count = 0; count < 3; count += 1) {
		await key.release((await key.lease({ board_type: 'uno' })).body.id);
	}
	const known = { brd_uno_1: { fence: 4 } };
	await served.cut();
	await later.close();

	const restored = await openLab('SQLite', { database: `${location}.backup` });
	cleanups.push(() => restored.close());
	const back = await connectAgent(inProcess(restored), { ...same, known, obliging: true });
	cleanups.push(() => back.cut());
	const again = restored.requests(user.key);
	const { data } = (await again.send('GET', '/leases')).body;
	expect(data).toMatchObject([{ status: 'ended', end_reason: 'agent_lost' }]);
	const { body: lease } = await again.lease({ board_type: 'uno' });
	expect(await again.read(lease.id, '?wait=20&status=preparing')).toMatchObject({
		status: 'active',
	});
	expect(back.fence('brd_uno_1')).toBeGreaterThan(4);
});
