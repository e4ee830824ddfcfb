// Failures and their causes.
import { randomUUID } from 'node:crypto';
import type { agentReport } from 'board-access-contract';
import type * as z from 'zod/mini';
import { timeIn } from '../database/clock.ts';
import type { Db, FailureRow, LeaseActionRow } from '../database/schema.ts';

export type ReportedCause = z.output<typeof agentReport>['cause'];

/** The reported cause, or the action that failed. */
export function causeOfReport(
	action: LeaseActionRow['action'],
	reported: ReportedCause = 'board',
): FailureRow['cause'] {
	if (reported === 'agent') return 'agent_failed';
	return reported === 'board' ? `${action}_failed` : reported;
}

export function newFailure(
	now: string,
	failure: Omit<FailureRow, 'id' | 'created_at'>,
): FailureRow {
	return { id: randomUUID(), created_at: now, ...failure };
}

export function deleteOldFailures(db: Db, days: number) {
	const oldest = timeIn(db, -days * 24 * 60 * 60 * 1000);
	return db.deleteFrom('failures').where('created_at', '<', oldest).execute();
}
