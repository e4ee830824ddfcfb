// The status of a board follows from its row.
import type { BoardRow } from '../database/schema.ts';
import { capabilitiesOf } from './capabilities.ts';

const draining =
	'The agent of this board accepts no new leases, because it is about to stop or to change.';

/** The status by its order of precedence: maintenance, offline, in use, draining, resting, available. */
function statusOf(board: BoardRow): Pick<BoardRow, 'status' | 'status_reason'> {
	const { base_status: base, status_reason } = board;
	if (base === 'maintenance') return { status: 'maintenance', status_reason };
	if (board.agent_id !== null && board.capabilities === null) {
		return { status: 'offline', status_reason: 'The agent of this board is not connected.' };
	}
	if (base === 'offline') return { status: 'offline', status_reason: '' };
	if (base === 'in_use' || board.lease_id !== null) return { status: 'in_use', status_reason: '' };
	if (capabilitiesOf(board)?.draining) return { status: 'offline', status_reason: draining };
	if (board.resting_until !== null) {
		return { status: 'offline', status_reason: board.rest_reason ?? '' };
	}
	return { status: 'available', status_reason: '' };
}

/** The board with the status that follows from its other columns. */
export function withStatus(board: BoardRow, now: string): BoardRow {
	const next = statusOf(board);
	const isNew = next.status !== board.status;
	if (!isNew && next.status_reason === board.status_reason) return board;
	return { ...board, ...next, updated_at: now, ...(isNew && { status_since: now }) };
}

/** Boards with these statuses are granted, now or after their lease. */
export const inService = ['available', 'in_use'] as const satisfies BoardRow['status'][];
