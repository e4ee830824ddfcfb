// Agents that are lost while a board of theirs changes hands.
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Db } from '../../../core/src/database/schema.ts';
import { createKey } from '../../../core/src/keys/store.ts';
import { changeWithin } from '../../../core/src/leases/change.ts';
import { loseLeases, shutBoards } from '../../../core/src/leases/ending/lost.ts';
import { lockLease } from '../../../core/src/leases/holder.ts';
import { requeue } from '../../../core/src/leases/rules/lifecycle.ts';
import { leaseIn } from '../../../core/src/leases/rules/state.ts';
import { onPostgres } from '../support/backends.ts';
import { type Bench, createUser, openBench } from '../support/bench.ts';
import { newAccount } from '../support/databases.ts';
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
	const shut = parts.database.query.transaction().execute((db) => shutBoards(db, agentId));
	await loseLeases(parts, await shut, 'The agent is lost.');
}

test.each(ways)('if the agent %s, none of its boards is granted meanwhile', async (_, lose) => {
	const { bench, agent, free, id } = await openPair();
	const { query } = bench.parts.database;
	const { key } = await createKey(query, {
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
