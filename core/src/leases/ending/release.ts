// Ends leases when an administrator does so, or their account or board is removed.
import { record } from '../../activity/record.ts';
import type { Core, Events } from '../../core.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { changeAccount, changeWithin, requireLease } from '../change.ts';
import { noSuchLease } from '../errors.ts';
import { type Ending, end } from '../rules/ending.ts';
import type { AccountState } from '../rules/state.ts';

export async function endAsAdmin(core: Core, id: string): Promise<LeaseRow> {
	const { lease, events } = await inTransaction(core.database.query, async (db) => {
		const { account_id: accountId } = await findHolder(db, id);
		const ending = { reason: 'admin', message: 'An administrator ended the lease.' } as const;
		const { state, events } = await changeWithin(db, {
			accountId,
			leaseIds: [id],
			decide: (state) => end(state, id, ending),
		});
		const lease = requireLease(state, id);
		if (events.leases) {
			const details = { board: lease.board_id };
			await record(db, { kind: 'lease.ended', accountId, subjectId: id, details });
		}
		return { lease, events };
	});
	await core.dispatch(events);
	return lease;
}

function findHolder(db: Db, id: string) {
	const holder = db.selectFrom('leases').select('account_id').where('id', '=', id);
	return holder.executeTakeFirstOrThrow(() => noSuchLease());
}

/** Ends all leases of an account within an open transaction. The caller dispatches the events. */
export async function endLeasesOf(
	db: Db,
	accountId: string,
	ending: (lease: LeaseRow) => Ending,
): Promise<Events> {
	const live = await liveIds(db, 'account_id', accountId);
	const endAll = (state: AccountState) =>
		state.leases.reduce((after, lease) => end(after, lease.id, ending(lease)), state);
	return (await changeWithin(db, { accountId, leaseIds: live, decide: endAll })).events;
}

/** Ends leases that wait for a removed board. */
export async function endWaitingFor(core: Core, boardId: string) {
	const { query } = core.database;
	const ending = { reason: 'no_board', message: 'The board was removed.' } as const;
	for (const id of await liveIds(query, 'wanted_board_id', boardId)) {
		const { account_id: accountId } = await findHolder(query, id);
		const decide = (state: AccountState) => end(state, id, ending);
		await changeAccount(core, { accountId, leaseIds: [id], decide });
	}
}

async function liveIds(db: Db, column: 'account_id' | 'wanted_board_id', value: string) {
	const live = await db
		.selectFrom('leases')
		.select('id')
		.where(column, '=', value)
		.where('status', '<>', 'ended')
		.orderBy('id')
		.execute();
	return live.map(({ id }) => id);
}
