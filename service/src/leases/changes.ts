// The names under which changes of leases and boards are told.
import type { LeaseRow } from '../database/schema.ts';
import type { Wake } from '../database/wake.ts';

/** Told of when the lease has another status, or its actions have. */
export function leaseChange(id: string) {
	return `lease ${id}`;
}

/** Told of when what the agent of the board has to do is another. */
export function boardChange(id: string) {
	return `board ${id}`;
}

/** Tells of a lease, to those who wait for it and to the agent of its board. */
export function tellOfLease(wake: Wake, { id, board_id }: Pick<LeaseRow, 'id' | 'board_id'>) {
	wake.tell(leaseChange(id), ...(board_id === null ? [] : [boardChange(board_id)]));
}
