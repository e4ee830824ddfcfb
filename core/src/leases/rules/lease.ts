// A lease when it is requested, with all of its columns.

import { timestamp } from '../../database/clock.ts';
import type { LeaseRow } from '../../database/schema.ts';
import type { AccountState } from './state.ts';

export interface Request {
	id: string;
	keyId: string | null;
	boardType: string;
	wantedBoardId: string | null;
	requiresAgent: boolean;
	/** The highest price that is accepted. */
	maxCreditsPerMinute: number;
	label: string | null;
	minutes: number;
	waitSeconds: number;
	/** Whether it has to be renewed while it waits, too. */
	hasHeartbeat: boolean;
}

/** The columns of a lease without a console: its next board starts another. */
export const noConsole = {
	console_end: 0,
	console_sync: 0,
	console_synced: 0,
	console_change: null,
	console_status: null,
	console_message: null,
	console_lost_at: null,
	console_gap_offset: null,
	console_gap_ms: null,
	input_end: 0,
	input_taken: 0,
};

export function requestedLease(
	{ time, account }: Pick<AccountState, 'time' | 'account'>,
	wanted: Request,
	rank: number,
): LeaseRow {
	const later = (seconds: number) => timestamp(time + seconds * 1000);
	return {
		id: wanted.id,
		account_id: account.id,
		api_key_id: wanted.keyId,
		label: wanted.label,
		status: 'queued',
		rank,
		board_type: wanted.boardType,
		wanted_board_id: wanted.wantedBoardId,
		requires_agent: wanted.requiresAgent ? 1 : 0,
		credits_per_minute: wanted.maxCreditsPerMinute,
		most_credits_per_minute: wanted.maxCreditsPerMinute,
		held_credits: 0,
		minutes: wanted.minutes,
		created_at: later(0),
		queued_until: later(wanted.waitSeconds),
		expires_at: wanted.hasHeartbeat ? later(wanted.minutes * 60) : null,
		board_id: null,
		fence: null,
		wait_extensions: 0,
		granted_at: null,
		preparation_expires_at: null,
		started_at: null,
		charged_from: null,
		ended_at: null,
		end_reason: null,
		end_message: null,
		credits: null,
		action_changes: 0,
		...noConsole,
		mail_when_ready: 0,
		summed: 0,
		open_steps: 0,
		turn: null,
	};
}
