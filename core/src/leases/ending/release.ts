// Ends leases when an administrator does so, or their account or board is removed.
import { record } from '../../activity/record.ts';
import { agentChange } from '../../announcements.ts';
import { deleteBoard } from '../../boards/change.ts';
import type { Events } from '../../core.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { afterChange } from '../../errors.ts';
import type { Command } from '../../gate.ts';
import { changeAccount, changeWithin, requireLease } from '../change.ts';
import { noSuchLease } from '../errors.ts';
import { type Ending, end } from '../rules/ending.ts';
import type { AccountState } from '../rules/state.ts';
import { readableLease } from '../store.ts';

/** Ends the lease of any account. */
export const endLease: Command<'endLease'> = async (core, caller, { ids: { id } }) => {
	const ending = { reason: 'admin', message: 'An administrator ended the lease.' } as const;
	const { lease, events } = await inTransaction(core.database.query, async (db) => {
		const found = db.selectFrom('leases').select('account_id').where('id', '=', id);
		const { account_id: accountId } = await found.executeTakeFirstOrThrow(noSuchLease);
		const decide = (state: AccountState) => end(state, id, ending);
		const { state, events } = await changeWithin(db, { accountId, leaseIds: [id], decide });
		const lease = requireLease(state, id);
		const details = { board: lease.board_id };
		if (events.leases) await record(db, { kind: 'lease.ended', accountId, subjectId: id, details });
		return { lease, events };
	});
	await core.dispatch(events);
	const { account_id } = lease;
	const access = account_id === caller.accountId ? 'hold' : 'look';
	const ended = await afterChange(readableLease(core.database.query, lease, access));
	return { ...ended, account_id };
};

/** Ends all leases of an account within an open transaction. The caller dispatches the events. */
export async function endLeasesOf(
	db: Db,
	accountId: string,
	ending: (lease: LeaseRow) => Ending,
): Promise<Events> {
	const live = await liveLeases(db, 'account_id', accountId);
	const leaseIds = live.map(({ id }) => id);
	const endAll = (state: AccountState) =>
		state.leases.reduce((after, lease) => end(after, lease.id, ending(lease)), state);
	return (await changeWithin(db, { accountId, leaseIds, decide: endAll })).events;
}

/** Removes a board, and ends the leases that wait for it. */
export const retireBoard: Command<'retireBoard'> = async (core, _caller, { ids }) => {
	const { query } = core.database;
	const { board, agentId } = await deleteBoard(query, ids.id);
	if (agentId) await core.dispatch({ names: [agentChange(agentId)] });
	const ending = { reason: 'no_board', message: 'The board was removed.' } as const;
	for (const { id, account_id: accountId } of await liveLeases(query, 'wanted_board_id', ids.id)) {
		const decide = (state: AccountState) => end(state, id, ending);
		await changeAccount(core, { accountId, leaseIds: [id], decide });
	}
	return board;
};

function liveLeases(db: Db, column: 'account_id' | 'wanted_board_id', value: string) {
	return db
		.selectFrom('leases')
		.select(['id', 'account_id'])
		.where(column, '=', value)
		.where('status', '<>', 'ended')
		.orderBy('id')
		.execute();
}
