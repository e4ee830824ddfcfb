// Failures, each with the cause that is known when it happens.
import { randomUUID } from 'node:crypto';
import type { agentReport } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { timeIn } from '../database/clock.ts';
import type { Db, FailureRow, LeaseActionRow, LeaseRow } from '../database/schema.ts';

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

/** Records a failure of the lease on the board that it has. */
export async function recordFailure(
	db: Db,
	{ id, board_id }: Pick<LeaseRow, 'id' | 'board_id'>,
	cause: FailureRow['cause'],
) {
	await sql`insert into failures (id, created_at, cause, lease_id, board_id, agent_id)
		select ${randomUUID()}, ${timeIn(db)}, ${cause}, ${id}, id, agent_id
		from boards where id = ${board_id}`.execute(db);
}

export function deleteOldFailures(db: Db, days: number) {
	const oldest = timeIn(db, -days * 24 * 60 * 60 * 1000);
	return db.deleteFrom('failures').where('created_at', '<', oldest).execute();
}
