// The pages of leases: those of an account, and those of all accounts.
import { boardNames } from '../boards/store.ts';
import { timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { readHolderNames } from './queue/usage.ts';
import { listLeases } from './store.ts';

const pageSize = 50;
const mostLive = 200;
const liveStatuses = ['active', 'preparing', 'queued'] as const;

/** The leases of an account and, on the first page, the live ones that are shared with it. */
export async function pageOfOwnLeases(db: Db, accountId: string, cursor: string | undefined) {
	const own = await listLeases(db, { accountId, of: 'own' }, { limit: pageSize, cursor });
	const live = { accountId, of: 'shared', status: liveStatuses } as const;
	const shared = cursor ? [] : (await listLeases(db, live, { limit: mostLive })).data;
	return { ...own, shared, names: await namesOf(db, [...shared, ...own.data]), at: timeIn(db) };
}

/** The leases of all accounts, with the names of boards and accounts: on the first page the live ones, then those that have ended. */
export async function pageOfLeases(db: Db, accountId: string, cursor: string | undefined) {
	const of = 'all';
	// Each status for itself, so that a long queue does not push the active ones out.
	const live = (cursor ? [] : liveStatuses).map((status) =>
		listLeases(db, { accountId, of, status: [status] }, { limit: mostLive }),
	);
	const ended = await listLeases(
		db,
		{ accountId, of, status: ['ended'] },
		{ limit: pageSize, cursor },
	);
	const data = [...(await Promise.all(live)), ended].flatMap((page) => page.data);
	const held = data.map(({ account_id = '' }) => ({ account_id, api_key_id: null }));
	const names = [...(await namesOf(db, data)), ...(await readHolderNames(db, held))];
	return { ...ended, data, names: new Map(names), at: timeIn(db) };
}

/** The names of their boards. */
function namesOf(db: Db, leases: readonly { board_id: string | null }[]) {
	return boardNames(
		db,
		leases.flatMap(({ board_id }) => board_id ?? []),
	);
}
