// Agents that are lost while a board of theirs changes hands.
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../src/database/clock.ts';
import type { Db } from '../../src/database/schema.ts';
import { changeWithin } from '../../src/leases/change.ts';
import { loseLeases, shutBoards } from '../../src/leases/ending/lost.ts';
import { lockLease } from '../../src/leases/lock.ts';
import { requeue } from '../../src/leases/rules/grant.ts';
import { leaseIn } from '../../src/leases/rules/state.ts';
import { keepLeases } from '../../src/leases/scheduler.ts';
import { openConnection } from '../../src/link/connection.ts';
import { revokeAgent } from '../../src/link/revoke.ts';
import { addAgent, unoBoards } from '../support/boards.ts';
import { type DatabaseKind, databaseKinds } from '../support/databases.ts';
import { type Lab, openLab } from '../support/lab.ts';

const [held, free] = ['brd_uno_1', 'brd_uno_2'] as const;
const boardIds = [held, free];

let lab: Lab;
afterEach(() => lab.close());

/** Two boards whose agent has connected, and how it connects again. */
async function openDriven(kind: DatabaseKind, actions: 'reset'[] = []) {
	lab = await openLab(kind, { boards: unoBoards(2) });
	const { id: agentId } = await addAgent(lab.query, boardIds, actions);
	const can = { actions, console: false, between_leases: 'keep' as const, fence: 1 };
	const connect = (bootId: string, { boards = boardIds, dispatch = lab.core.dispatch } = {}) => {
		const driven = Object.fromEntries(boards.map((id) => [id, can]));
		const connection = { agentId, tokenHash: '', boot_id: bootId, boards: driven };
		return openConnection({ ...lab.core, dispatch }, connection);
	};
	await connect('first');
	return { agentId, connect };
}

type Driven = Awaited<ReturnType<typeof openDriven>>;

const ways: [string, (driven: Driven) => Promise<unknown>][] = [
	['is lost', ({ agentId }) => loseAgent(agentId)],
	['no longer drives them', ({ connect }) => connect('first', { boards: [] })],
];

async function loseAgent(agentId: string) {
	const shut = lab.query.transaction().execute((db) => shutBoards(db, agentId, null));
	await loseLeases(lab.core, await shut, 'The agent is lost.');
}

async function waitForLock(db: Db) {
	const waiting = sql`select 1 from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`;
	await expect
		.poll(async () => {
			// The transaction is not idle for too long.
			await sql`select 1`.execute(db);
			return (await waiting.execute(lab.query)).rows;
		})
		.toHaveLength(1);
}

test.each(ways)('if the agent %s, none of its boards is granted meanwhile', async (_, lose) => {
	const driven = await openDriven('PostgreSQL');
	const [user, other] = [await lab.account(), await lab.account()];
	const { id } = await user.lease({ board_id: held });
	let losing: Promise<unknown> | undefined;
	await lab.query.transaction().execute(async (db) => {
		await lockLease(db, id);
		losing = lose(driven);
		await waitForLock(db);
		const refused = other.lease({ board_id: free });
		await expect(refused).rejects.toMatchObject({ code: 'no_board_available' });
	});
	await losing;
	expect(await user.read(id)).toMatchObject({ status: 'ended', end_reason: 'agent_lost' });
});

test.each(ways)(
	'if the agent %s, a lease that waits for another board goes on',
	async (_, lose) => {
		const driven = await openDriven('PostgreSQL');
		const user = await lab.account();
		const { id } = await user.lease({ board_id: held });
		let losing: Promise<unknown> | undefined;
		await lab.query.transaction().execute(async (db) => {
			const lease = await lockLease(db, id);
			if (!lease) throw new Error('There is no lease');
			losing = lose(driven);
			await waitForLock(db);
			await changeWithin(db, {
				accountId: lease.account_id,
				leaseIds: [id],
				decide: (state) => requeue(state, leaseIn(state, id) ?? lease, 60_000),
			});
		});
		await losing;
		expect(await user.read(id)).toMatchObject({ status: 'queued' });
	},
);

describe.each(databaseKinds)('a change that fails halfway, on %s', (kind) => {
	/** Two leases on the boards of an agent that has connected. */
	async function twoLeases() {
		const { agentId, connect } = await openDriven(kind, ['reset']);
		const user = await lab.account();
		for (const board_id of boardIds) await user.lease({ board_id, minutes: 5 });
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
		await expect(connect('second', { dispatch: failing })).rejects.toThrow('away');
		expect(await held()).toEqual([]);
		await connect('second');
		const leases = await lab.query.selectFrom('leases').select(['status', 'fence']).execute();
		// Both went back to the queue, and a new preparation has begun.
		expect(leases.every(({ fence }) => (fence ?? 0) > 1)).toBe(true);
		const agent = lab.query.selectFrom('agents').select('boot_id').where('id', '=', agentId);
		expect((await agent.executeTakeFirstOrThrow()).boot_id).toBe('second');
	});

	test('a revocation ends every lease, though telling others of the first one fails', async () => {
		const { held, failing, agentId } = await twoLeases();
		await expect(revokeAgent({ ...lab.core, dispatch: failing }, agentId)).rejects.toThrow('away');
		expect(await held()).toEqual([]);
		await revokeAgent(lab.core, agentId);
	});

	test('a board that was released is not taken offline when its agent connects again', async () => {
		const { connect } = await twoLeases();
		const boards = lab.query.selectFrom('boards').select(['id', 'status_since']);
		await lab.query
			.updateTable('leases')
			.set({ expires_at: timestamp(0) })
			.execute();
		await keepLeases(lab.core);
		const before = await boards.execute();
		await connect('first');
		expect(await boards.execute()).toEqual(before);
	});
});
