// A lease as the wire has it.
import type { LeaseRow } from '../database/schema.ts';

export function leaseRecord(lease: LeaseRow, queuePosition: number | null = null) {
	return {
		id: lease.id,
		status: lease.status,
		board_id: lease.board_id,
		board_type: lease.board_type,
		label: lease.label,
		queue_position: lease.status === 'queued' ? queuePosition : null,
		minutes: lease.minutes,
		created_at: lease.created_at,
		started_at: lease.started_at,
		expires_at: lease.expires_at,
		ended_at: lease.ended_at,
		end_reason: lease.end_reason,
		end_message: lease.end_message,
		credits: lease.credits,
	};
}
