// What differs between two states of an account, as those who wait for it see it.
import type { LeaseEvents } from '../core.ts';
import type { AccountState } from './rules/state.ts';

const noEvents: LeaseEvents = { changed: [], types: new Set() };

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
