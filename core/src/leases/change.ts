// How status, board, minutes and credits of leases change: lock the account, load what the decision needs, decide,
// save, and dispatch events. Console and pins are written in their own files.
import { accountDisabled, lockCounts } from '../accounts/lock.ts';
import { lockBoards, withIds } from '../boards/save.ts';
import { type Claim, writeClaim } from '../claims.ts';
import type { Core, Events } from '../core.ts';
import { clockOf } from '../database/clock.ts';
import { locking } from '../database/locks.ts';
import { saveRows } from '../database/rows.ts';
import type { BoardRow, Db, LeaseRow, Owned } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { noSuchLease } from './errors.ts';
import { type AccountState, leaseIn } from './rules/state.ts';

interface Decision<Facts> {
	accountId: string;
	/** The leases that may change. They, those of their groups, and their boards are locked. */
	leaseIds?: readonly string[];
	/** Reads what else the decision needs, and locks the boards that a lease may get. */
	load?: (db: Db, state: AccountState) => Promise<Facts & { boards?: readonly BoardRow[] }>;
	decide: (state: AccountState, facts: Facts) => AccountState;
}

/** Changes leases within an open transaction. The caller dispatches the events after the commit. */
export async function changeWithin<Facts>(db: Db, { load, decide, ...scope }: Decision<Facts>) {
	const locked = await loadState(db, scope);
	const facts = load && (await load(db, locked));
	const before = { ...locked, boards: [...locked.boards, ...(facts?.boards ?? [])] };
	const state = decide(before, facts as Facts); // without `load`, `decide` takes none
	await save(db, before, state);
	return { state, events: eventsBetween(before, state) };
}

/** Changes leases of an account and dispatches the events. A claim is stored for the lease with this id. */
export async function changeAccount<Facts>(
	core: Core,
	{ claim, id = '', ...decision }: Decision<Facts> & { claim?: Claim | undefined; id?: string },
): Promise<AccountState> {
	const { state, events } = await inTransaction(core.database.query, async (db) => {
		const change = await changeWithin(db, decision);
		if (claim) await writeClaim(db, claim, id);
		return change;
	});
	await core.dispatch(events);
	return state;
}

/** Changes one lease, and returns it afterwards. */
export async function changeLease<Facts>(
	core: Core,
	{ decide, ...change }: Owned & Omit<Decision<Facts>, 'leaseIds'> & { claim?: Claim | undefined },
): Promise<LeaseRow> {
	const { id } = change;
	const state = await changeAccount<Facts>(core, {
		...change,
		leaseIds: [id],
		decide: (state, facts) => {
			requireLease(state, id);
			return decide(state, facts);
		},
	});
	return requireLease(state, id);
}

export function requireLease(state: AccountState, id: string) {
	const lease = leaseIn(state, id);
	if (!lease) throw noSuchLease();
	return lease;
}

/** Locks the account, which protects its leases. They are locked too, because agents and users write to their rows. */
async function loadState(
	db: Db,
	{ accountId, leaseIds = [] }: Pick<Decision<unknown>, 'accountId' | 'leaseIds'>,
): Promise<AccountState> {
	const account = await lockCounts(db, accountId);
	if (!account) throw accountDisabled();
	const leases = await lockLeases(db, accountId, leaseIds);
	const boardIds = leases.flatMap(({ status, board_id }) =>
		status === 'ended' ? [] : (board_id ?? []),
	);
	return {
		time: clockOf(db).now(),
		account: { id: accountId, ...account },
		leases,
		others: await otherLeases(db, accountId, leases),
		actions: await actionsOf(db, leases),
		boards: boardIds.length > 0 ? await lockBoards(db, withIds(boardIds)) : [],
		entries: [],
		failures: [],
		withoutConsole: [],
	};
}

async function lockLeases(db: Db, accountId: string, ids: readonly string[]) {
	if (ids.length === 0) return [];
	const chosen = db.selectFrom('leases').where('id', 'in', ids);
	const members = db
		.selectFrom('leases')
		.select('id')
		.where('group_id', 'in', chosen.select('group_id'));
	return db
		.selectFrom('leases')
		.selectAll()
		.where('id', 'in', chosen.select('id').union(members))
		.where('account_id', '=', accountId)
		.orderBy('id')
		.$call(locking(db, 'leases'))
		.execute();
}

function otherLeases(db: Db, accountId: string, leases: AccountState['leases']) {
	const ids = leases.map(({ id }) => id);
	return db
		.selectFrom('leases')
		.select(['id', 'held_credits'])
		.where('account_id', '=', accountId)
		.where('status', '<>', 'ended')
		.$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
		.orderBy('created_at')
		.execute();
}

/** Open actions, and all steps of preparations. */
async function actionsOf(db: Db, leases: AccountState['leases']) {
	const granted = leases.filter(({ status, fence }) => status !== 'ended' && fence !== null);
	const ids = granted.map(({ id }) => id);
	if (ids.length === 0) return [];
	return db
		.selectFrom('lease_actions')
		.selectAll()
		.where('lease_id', 'in', ids)
		.where(({ eb, or }) =>
			or([eb('status', 'in', ['queued', 'running']), eb('phase', '=', 'prepare')]),
		)
		.orderBy('position')
		.execute();
}

async function save(db: Db, before: AccountState, after: AccountState) {
	if (after === before) return;
	const { leases, actions, boards, entries, failures, account } = before;
	await saveRows(db, 'accounts', { before: [account], after: [after.account] });
	await saveRows(db, 'leases', { before: leases, after: after.leases });
	await saveRows(db, 'lease_actions', { before: actions, after: after.actions });
	await saveRows(db, 'boards', { before: boards, after: after.boards });
	await saveRows(db, 'credit_entries', { before: entries, after: after.entries });
	await saveRows(db, 'failures', { before: failures, after: after.failures });
	if (after.withoutConsole.length > 0) {
		await db.deleteFrom('console_chunks').where('lease_id', 'in', after.withoutConsole).execute();
	}
}

/** The events for the difference between two states. */
function eventsBetween(before: AccountState, after: AccountState): Events {
	if (before === after) return {};
	const earlier = new Map(before.leases.map((lease) => [lease.id, lease]));
	const boards = new Map(before.boards.map((board) => [board.id, board]));
	const differing = after.leases.filter((lease) => earlier.get(lease.id) !== lease);
	const leases = differing.flatMap((lease) => {
		const former = earlier.get(lease.id)?.board_id ?? lease.board_id;
		const ids = new Set([former, lease.board_id]);
		return [...ids].map((board_id) => ({ id: lease.id, board_id }));
	});
	const left = differing.filter(
		({ id, status }) => earlier.get(id)?.status === 'queued' && status === 'ended',
	);
	const freed = after.boards.filter(
		({ id, status }) => status === 'available' && boards.get(id)?.status !== 'available',
	);
	const types = new Set([...left, ...freed].map(({ board_type }) => board_type));
	return { leases, types, change: { before, after } };
}
