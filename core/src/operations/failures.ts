// Failures, each with the cause that is known when it happens.
import { randomUUID } from 'node:crypto';
import type { agentReport } from 'board-access-contract';
import type * as z from 'zod/mini';
import { timeIn } from '../database/clock.ts';
import type { Db, FailureRow, LeaseActionRow } from '../database/schema.ts';

/** What an agent says has failed. */
export type ReportedCause = z.output<typeof agentReport>['cause'];

/** That, or the action if the agent does not say more. */
export function causeOfReport(
	action: LeaseActionRow['action'],
	reported: ReportedCause = 'board',
): FailureRow['cause'] {
	if (reported === 'agent') return 'agent_failed';
	return reported === 'board' ? `${action}_failed` : reported;
}

/** A failure of a lease on the board that it has. */
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
