// What a committed change of leases means for others. Events are hints; what a crash loses, the scheduler finds within
// a second.
import type { Database } from '../database/database.ts';
import type { AccountState } from './rules/state.ts';

/** Wakes those who wait for what has changed, and grants the boards that others wait for. */
export type Dispatch = (events: LeaseEvents) => Promise<void>;

/** What every change of a lease needs. */
export interface Changing {
	database: Pick<Database, 'query'>;
	dispatch: Dispatch;
}

export interface LeaseEvents {
	/** The leases that have changed, each with every board that it had or has. */
	changed: readonly { id: string; board_id: string | null }[];
	/** The types of which a board became available, or which a request waits for no longer. */
	types: ReadonlySet<string>;
}

export const noEvents: LeaseEvents = { changed: [], types: new Set() };

export function eventsBetween(before: AccountState, after: AccountState): LeaseEvents {
	if (before === after) return noEvents;
	const leases = new Map(before.leases.map((lease) => [lease.id, lease]));
	const boards = new Map(before.boards.map((board) => [board.id, board]));
	const differing = after.leases.filter((lease) => leases.get(lease.id) !== lease);
	const changed = differing.flatMap((lease) => {
		const former = leases.get(lease.id)?.board_id ?? lease.board_id;
		const ids = new Set([former, lease.board_id]);
		return [...ids].map((board_id) => ({ id: lease.id, board_id }));
	});
	const left = differing.filter(
		({ id, status }) => leases.get(id)?.status === 'queued' && status === 'ended',
	);
	const freed = after.boards.filter(
		({ id, status }) => status === 'available' && boards.get(id)?.status !== 'available',
	);
	return { changed, types: new Set([...left, ...freed].map(({ board_type }) => board_type)) };
}
