// What a board is doing, by colour and by word.
import type { BoardRow } from '../../database/schema.ts';

export type BoardStatus = BoardRow['status'];

export const statusWords: Record<BoardStatus, string> = {
	available: 'Available',
	in_use: 'In use',
	maintenance: 'Maintenance',
	offline: 'Offline',
};

/** Every status, in the order of the pages. The record has these keys and no other. */
export const statuses = Object.keys(statusWords) as BoardStatus[];

export function StatusBadge({ status }: { status: BoardStatus }) {
	return <span class={`badge status-${status}`}>{statusWords[status]}</span>;
}
