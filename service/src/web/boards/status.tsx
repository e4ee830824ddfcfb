// The status of a board, by colour and by word.
import type { BoardRow } from '../../database/schema.ts';

export type BoardStatus = BoardRow['status'];

export const statusWords: Record<BoardStatus, string> = {
	available: 'Available',
	in_use: 'In use',
	maintenance: 'Maintenance',
	offline: 'Offline',
};

/** Every status, in display order. The record has exactly these keys. */
export const statuses = Object.keys(statusWords) as BoardStatus[];

export function StatusBadge({ status }: { status: BoardStatus }) {
	return <span class={`badge status-${status}`}>{statusWords[status]}</span>;
}
