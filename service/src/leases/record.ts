// A lease as the wire has it.
import type { LeaseRow } from '../database/schema.ts';

export interface Moment {
	/** The time by the clock of the database. */
	time: number;
	queuePosition?: number | undefined;
}

export function leaseRecord(lease: LeaseRow, { time, queuePosition }: Moment) {
	const { status, expires_at } = lease;
	const runsOut = status !== 'ended' && expires_at !== null;
	return {
		id: lease.id,
		status,
		board_id: lease.board_id,
		board_type: lease.board_type,
		label: lease.label,
		queue_position: status === 'queued' ? (queuePosition ?? null) : null,
		minutes: lease.minutes,
		created_at: lease.created_at,
		started_at: lease.started_at,
		expires_at,
		expires_in_ms: runsOut ? Math.max(0, Math.floor(Date.parse(expires_at) - time)) : null,
		preparation_expires_at: status === 'preparing' ? lease.preparation_expires_at : null,
		ended_at: lease.ended_at,
		end_reason: lease.end_reason,
		end_message: lease.end_message,
		credits: lease.credits,
		console_status: lease.console_status,
		console_message: lease.console_message,
		console_lost_at: lease.console_lost_at,
		console_gap_offset: lease.console_gap_offset,
		console_gap_ms: lease.console_gap_ms,
	};
}
