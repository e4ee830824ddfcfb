// The status of a lease and the reason of its end, in words.
import type { lease } from 'board-access-contract';
import type * as z from 'zod/mini';
import { Name } from '../elements/text.tsx';

export type Lease = z.output<typeof lease>;

const statusWords = {
	queued: ['Waiting', 'maintenance'],
	preparing: ['Preparing', 'in_use'],
	active: ['Active', 'available'],
	ended: ['Ended', 'offline'],
} as const;

export function LeaseStatus({ status }: Pick<Lease, 'status'>) {
	const [word, color] = statusWords[status];
	return <span class={`badge status-${color}`}>{word}</span>;
}

const endWords = {
	released: 'You released the board.',
	expired: 'The lease expired.',
	cancelled: 'You left the queue.',
	no_board: 'No board became free in time.',
	prepare_failed: 'The board could not be prepared.',
	agent_lost: 'The connection to the board was lost.',
	admin: 'An administrator ended the lease.',
} as const;

export function endWordsOf({ end_reason, access }: Pick<Lease, 'end_reason' | 'access'>) {
	if (!end_reason) return '';
	return endWords[end_reason].replace(/^You/, access === 'hold' ? 'You' : 'The holder');
}

export function EndReason(lease: Lease) {
	const { end_reason, end_message } = lease;
	if (!end_reason) return null;
	const message = end_message && <Name>{end_message}</Name>;
	// These messages include the reason; the others add nothing to it.
	if (message && ['prepare_failed', 'expired'].includes(end_reason)) return message;
	return [endWordsOf(lease), end_reason === 'agent_lost' && [' ', message]];
}
