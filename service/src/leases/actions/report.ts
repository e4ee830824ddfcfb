// What an agent reports of an action. The lease becomes active with the last step of its preparation.
import { randomUUID } from 'node:crypto';
import { clockOf, timestamp } from '../../database/clock.ts';
import type { Db, LeaseActionRow, LeaseRow } from '../../database/schema.ts';
import { defineSteps } from '../../database/steps.ts';
import { causeOfReport, type ReportedCause } from '../../operations/failures.ts';
import { fenceOutdated, isFenced } from '../fence.ts';
import { chargedFrom } from '../grace.ts';
import { failStep } from '../preparation/outcome.ts';

const minute = 60_000;

interface Report {
	agentId: string;
	actionId: string;
	fence: number;
	status: Exclude<LeaseActionRow['status'], 'queued'>;
	message: string;
	/** What failed, if the action did. */
	cause?: ReportedCause;
	/** Where the output of the action begins, as the agent says. */
	consoleOffset: number | undefined;
	/** In percent, if the flash tool of the agent says so. */
	progress?: number | undefined;
}

/** Stores what an agent reports of an action, if its lease has the board. Repeats change nothing. */
export async function reportAction(
	db: Db,
	report: Report,
	settings: { agentTimeout: number },
): Promise<LeaseRow> {
	const { actionId: action, fence } = report;
	const lease = await db
		.selectFrom('lease_actions')
		.innerJoin('leases', 'leases.id', 'lease_actions.lease_id')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.selectAll('leases')
		.select(['lease_actions.phase', 'lease_actions.action'])
		.where('lease_actions.id', '=', action)
		.where(isFenced(report))
		.executeTakeFirstOrThrow(fenceOutdated);
	const isStep = lease.phase === 'prepare' && lease.status === 'preparing';
	if (isStep && report.status === 'failed') {
		await failStep(db, { ...report, leaseId: lease.id, ...settings });
		return lease;
	}
	const time = clockOf(db).now();
	const held = lease.credits_per_minute * lease.minutes;
	const done = isStep && report.status === 'done';
	const begins = chargedFrom(lease, { granted: lease.granted_at ?? '', ready: time });
	await store(db, {
		action,
		fence,
		id: lease.id,
		account: lease.account_id,
		board: lease.board_id,
		status: report.status,
		message: report.message,
		offset: report.consoleOffset && Math.min(report.consoleOffset, lease.console_end),
		progress: report.progress,
		failure: randomUUID(),
		cause: report.status === 'failed' ? causeOfReport(lease.action, report.cause) : null,
		agent: report.agentId,
		ended: report.status === 'running' ? null : timestamp(time),
		done: done ? 1 : 0,
		now: timestamp(time),
		begins: timestamp(begins),
		expires: timestamp(begins + lease.minutes * minute),
		held,
		freed: done ? lease.held_credits - held : 0,
	});
	return lease;
}

const store = defineSteps({
	account: `select id from accounts where id = :account and cast(:freed as integer) <> 0 {for no key update}`,
	locked: `select id from leases
		where id = :id and status in ('preparing', 'active') and fence = cast(:fence as integer)
			and (cast(:freed as integer) = 0 or exists (select 1 from account))
		{for no key update}`,
	action: `update lease_actions set status = :status, message = :message, ended_at = :ended,
			progress = coalesce(cast(:progress as integer), progress),
			console_offset = coalesce(cast(:offset as bigint), console_offset)
		where id = :action and status in ('queued', 'running') and exists (select 1 from locked)
		returning id`,
	change: `update leases set action_changes = action_changes + 1
		where id = :id and cast(:done as integer) = 0 and exists (select 1 from action)
		returning id`,
	'lease (open_steps)': `update leases set open_steps = open_steps - 1, action_changes = action_changes + 1,
			status = case open_steps when 1 then 'active' else status end,
			started_at = case open_steps when 1 then cast(:now as text) end,
			charged_from = case open_steps when 1 then cast(:begins as text) end,
			expires_at = case open_steps when 1 then :expires else expires_at end,
			held_credits = case open_steps when 1 then cast(:held as integer) else held_credits end
		where id = :id and cast(:done as integer) = 1 and status = 'preparing' and exists (select 1 from action)
		returning open_steps`,
	failure: `insert into failures (id, created_at, cause, lease_id, board_id, agent_id)
		select :failure, :now, :cause, :id, :board, :agent from action where cast(:cause as text) is not null
		returning id`,
	holder: `update accounts set held_credits = held_credits - cast(:freed as integer)
		where id = :account and cast(:freed as integer) <> 0 and exists (select 1 from lease where open_steps = 0)
		returning id`,
	board: `update boards set failed_preparations = 0
		where id = :board and failed_preparations <> 0 and exists (select 1 from lease where open_steps = 0)
		returning id`,
});
