// What a board is doing, by colour and by word.
import type { BoardRow } from '../../database/schema.ts';

export type BoardStatus = BoardRow['status'];

export const statuses = ['available', 'in_use', 'maintenance', 'offline'] as const;

export const statusWords: Record<BoardStatus, string> = {
	available: 'Available',
	in_use: 'In use',
	maintenance: 'Maintenance',
	offline: 'Offline',
};

export const StatusBadge = ({ status }: { status: BoardStatus }) => (
	<span class={`badge status-${status}`}>{statusWords[status]}</span>
);
