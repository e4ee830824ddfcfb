// The events for the difference between two states of an account.
import type { Events } from '../core.ts';
import type { AccountState } from './rules/state.ts';

export function eventsBetween(before: AccountState, after: AccountState): Events {
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
	return { leases, types: new Set([...left, ...freed].map(({ board_type }) => board_type)) };
}
