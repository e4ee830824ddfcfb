// Agents that are lost while a board of theirs changes hands.
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../core/src/database/clock.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import { changeWithin } from '../../../core/src/leases/change.ts';
import { loseLeases, shutBoards } from '../../../core/src/leases/ending/lost.ts';
import { lockLease } from '../../../core/src/leases/lock.ts';
import { requeue } from '../../../core/src/leases/rules/lifecycle.ts';
import { leaseIn } from '../../../core/src/leases/rules/state.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { openConnection } from '../../../core/src/link/connection.ts';
import { revokeAgent } from '../../../core/src/link/revoke.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, newAccount } from '../../../core/test/support/databases.ts';
import { onPostgres } from '../support/backends.ts';
import { type Bench, createUser, openBench } from '../support/bench.ts';
import { type Lab, openLab } from '../support/leasing.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A board in a lease, and a free one, of the same agent. */
async function openPair() {
	const bench = await openBench(onPostgres, { boards: 2 });
	cleanups.push(() => bench.close());
	const [held = '', free = ''] = bench.boardIds;
	const driven = { [held]: [], [free]: [] };
	const agent = await connectAgent(bench.sendAsAgent, { driven });
	cleanups.push(() => agent.cut());
	const { id } = await bench.user.activeLease({ board_id: held });
	return { bench, agent, held, free, id };
}

async function waitForLock(query: Db, db: Db) {
	const waiting = sql`select 1 from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`;
	await expect
		.poll(async () => {
			// The transaction is not idle for too long.
			await sql`select 1`.execute(db);
			return (await waiting.execute(query)).rows;
		})
		.toHaveLength(1);
}

const ways: [string, (bench: Bench, bootId: string) => Promise<unknown>][] = [
	['is lost', ({ parts, agentId }) => loseAgent(parts, agentId)],
	[
		'no longer drives them',
		({ sendAsAgent }, bootId) =>
			connectAgent(sendAsAgent, { driven: {}, bootId }).then((agent) => {
				cleanups.push(() => agent.cut());
			}),
	],
];

async function loseAgent(parts: Bench['parts'], agentId: string) {
	const shut = parts.database.query.transaction().execute((db) => shutBoards(db, agentId, null));
	await loseLeases(parts, await shut, 'The agent is lost.');
}

test.each(ways)('if the agent %s, none of its boards is granted meanwhile', async (_, lose) => {
	const { bench, agent, free, id } = await openPair();
	const { query } = bench.parts.database;
	const { key } = await issueKey(query, {
		accountId: (await newAccount(bench.parts.database)).id,
	});
	const other = createUser(bench, key);
	let losing: Promise<unknown> | undefined;
	await query.transaction().execute(async (db) => {
		await lockLease(db, id);
		losing = lose(bench, agent.bootId);
		await waitForLock(query, db);
		const refused = await other.json('/leases', 'POST', { board_id: free });
		expect(refused.body.error.code).toBe('no_board_available');
	});
	await losing;
	const { body } = await bench.user.json(`/leases/${id}`);
	expect(body).toMatchObject({ status: 'ended', end_reason: 'agent_lost' });
});

test.each(ways)(
	'if the agent %s, a lease that waits for another board goes on',
	async (_, lose) => {
		const { bench, agent, id } = await openPair();
		const { query } = bench.parts.database;
		let losing: Promise<unknown> | undefined;
		await query.transaction().execute(async (db) => {
			const lease = await lockLease(db, id);
			if (!lease) throw new Error('There is no lease');
			losing = lose(bench, agent.bootId);
			await waitForLock(query, db);
			await changeWithin(db, {
				accountId: lease.account_id,
				leaseIds: [id],
				decide: (state) => requeue(state, leaseIn(state, id) ?? lease, 60_000),
			});
		});
		await losing;
		expect((await bench.user.json(`/leases/${id}`)).body).toMatchObject({ status: 'queued' });
	},
);

describe.each(databaseKinds)('a change that fails halfway, on %s', (kind) => {
	let lab: Lab;
	afterEach(() => lab.close());

	/** Two leases on the boards of an agent that has connected. */
	async function twoLeases() {
		lab = await openLab(kind, { boards: unoBoards(2) });
		const { id: agentId } = await addAgent(lab.query, ['brd_uno_1', 'brd_uno_2'], ['reset']);
		const can = { actions: ['reset' as const], console: false, between_leases: 'keep' as const };
		const connect = (bootId: string, dispatch = lab.parts.dispatch) => {
			const driven = new Map(['brd_uno_1', 'brd_uno_2'].map((id) => [id, { ...can, fence: 1 }]));
			return openConnection({ ...lab.parts, dispatch }, { agentId, bootId, driven });
		};
		await connect('first');
		const user = await lab.account();
		for (const board_id of ['brd_uno_1', 'brd_uno_2']) await user.lease({ board_id, minutes: 5 });
		const held = () =>
			lab.query
				.selectFrom('leases')
				.select('id')
				.where('board_id', 'is not', null)
				.where('status', 'in', ['preparing', 'active'])
				.execute();
		expect(await held()).toHaveLength(2);
		const failing = () => Promise.reject(new Error('The database is away'));
		return { agentId, connect, held, failing };
	}

	test('an agent that has restarted loses all its leases with the next attempt to connect', async () => {
		const { connect, held, failing, agentId } = await twoLeases();
		await lab.query.updateTable('agents').set({ connection_id: null }).execute();
		await expect(connect('second', failing)).rejects.toThrow('away');
		expect(await held()).toHaveLength(1);
		await connect('second');
		const leases = await lab.query.selectFrom('leases').select(['status', 'fence']).execute();
		// Both went back to the queue, and a new preparation has begun.
		expect(leases.every(({ fence }) => (fence ?? 0) > 1)).toBe(true);
		const agent = lab.query.selectFrom('agents').select('boot_id').where('id', '=', agentId);
		expect((await agent.executeTakeFirstOrThrow()).boot_id).toBe('second');
	});

	test('a revocation that is repeated ends the leases that were left', async () => {
		const { held, failing, agentId } = await twoLeases();
		await expect(revokeAgent({ ...lab.parts, dispatch: failing }, agentId)).rejects.toThrow('away');
		expect(await held()).toHaveLength(1);
		await revokeAgent(lab.parts, agentId);
		expect(await held()).toEqual([]);
	});

	test('a board that was released is not taken offline when its agent connects again', async () => {
		const { connect } = await twoLeases();
		const boards = lab.query.selectFrom('boards').select(['id', 'status_since']);
		await lab.query
			.updateTable('leases')
			.set({ expires_at: timestamp(0) })
			.execute();
		await keepLeases(lab.parts);
		const before = await boards.execute();
		await connect('first');
		expect(await boards.execute()).toEqual(before);
	});
});
