// A lease as the wire has it.
import type { LeaseRow } from '../database/schema.ts';

export function leaseRecord(lease: LeaseRow, queuePosition: number | null = null) {
	const live = lease.status !== 'ended';
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
		expires_in_ms: live && lease.expires_at !== null ? timeUntil(lease.expires_at) : null,
		preparation_expires_at: lease.status === 'preparing' ? lease.preparation_expires_at : null,
		ended_at: lease.ended_at,
		end_reason: lease.end_reason,
		end_message: lease.end_message,
		credits: lease.credits,
	};
}

function timeUntil(moment: string) {
	return Math.max(0, Date.parse(moment) - Date.now());
}
