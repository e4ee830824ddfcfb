// What happens to a lease when a step of its preparation has failed.
import { notErased } from 'board-access-contract';
import { lockBoards, refreshBoards, restBoards } from '../../boards/status.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, LeaseActionRow, LeaseRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { causeOfReport, type ReportedCause, recordFailure } from '../../operations/failures.ts';
import { endLease } from '../ending/end.ts';
import { checkFence } from '../fence.ts';
import { lockHolders, lockLease } from '../holder.ts';
import { requeueLease } from '../queue/grant.ts';

/** After this many failures in a row, a board goes into maintenance. */
const mostBoardFailures = 2;

/** After this many failures, on whichever boards, a lease ends. */
const mostLeaseFailures = 3;

/** How long a lease whose preparation failed waits for another board at least. */
const patience = 10_000;

type Step = Pick<LeaseActionRow, 'action' | 'name' | 'message'>;

interface FailedStep {
	agentId: string;
	fence: number;
	leaseId: string;
	actionId: string;
	message: string;
	cause?: ReportedCause;
	agentTimeout: number;
}

/** Stores that a step of a preparation has failed, and what follows. */
export function failStep(
	db: Db,
	{ actionId, message, cause, agentTimeout, ...fenced }: FailedStep,
) {
	return inTransaction(db, async (db) => {
		await lockHolders(db, [fenced.leaseId]);
		const lease = await checkFence(db, fenced);
		const step = await db
			.updateTable('lease_actions')
			.set({ status: 'failed', message, ended_at: timeIn(db) })
			.where('id', '=', actionId)
			.where('status', 'in', ['queued', 'running'])
			.returningAll()
			.executeTakeFirst();
		if (!step || lease.status !== 'preparing' || lease.board_id === null) return;
		await recordFailure(db, lease, causeOfReport(step.action, cause));
		if (cause === 'agent') {
			return blameAgent(db, lease, { agentId: fenced.agentId, step, rest: agentTimeout * 1000 });
		}
		const reason = describeFailure(step);
		await noteBoardFailure(db, lease.board_id, reason);
		await failPreparation(db, lease, reason);
	});
}

/** Counts for neither the lease nor the board; the agent's boards are not granted for a while. */
async function blameAgent(
	db: Db,
	lease: LeaseRow,
	{ agentId, step, rest }: { agentId: string; step: Step & { id: string }; rest: number },
) {
	await lockBoards(db, agentId);
	await db.deleteFrom('lease_actions').where('id', '=', step.id).execute();
	await requeueLease(db, lease, rest + patience);
	const reason = `The agent of this board cannot prepare boards. ${describeFailure(step)}`;
	await restBoards(db, agentId, {
		until: timeIn(db, rest),
		reason: reason.slice(0, 500),
	});
}

/** Fails the preparation if it still runs at the end of its time. */
export function failLatePreparation(
	db: Db,
	id: string,
	{ time, leasePreparationSeconds }: { time: string; leasePreparationSeconds: number },
) {
	return inTransaction(db, async (db) => {
		const lease = await lockLease(db, id);
		const limit = lease?.preparation_expires_at ?? time;
		if (lease?.status !== 'preparing' || lease.board_id === null || limit > time) return undefined;
		const step = await failOpenStep(db, id, leasePreparationSeconds);
		await recordFailure(db, lease, step?.isDownload ? 'download_failed' : 'prepare_timeout');
		const reason = step ? describeFailure(step) : 'no step of it was left';
		// A download that takes too long is no failure of the board.
		if (!step?.isDownload) await noteBoardFailure(db, lease.board_id, reason);
		return failPreparation(db, lease, reason);
	});
}

/** Fails the step that a preparation waits for, with a message that says so. */
async function failOpenStep(db: Db, leaseId: string, seconds: number) {
	const step = await db
		.selectFrom('lease_actions')
		.selectAll()
		.where('lease_id', '=', leaseId)
		.where('status', 'in', ['queued', 'running'])
		.orderBy('position')
		.limit(1)
		.executeTakeFirst();
	if (!step) return undefined;
	const isDownload = step.url !== null && step.file_id === null;
	const awaited = isDownload
		? 'the download of its file'
		: `the agent to ${step.status === 'queued' ? 'begin' : 'finish'} it`;
	const message = `not done within ${seconds} seconds; the preparation waited for ${awaited}`;
	await db
		.updateTable('lease_actions')
		.set({ status: 'failed', message, ended_at: timeIn(db) })
		.where('id', '=', step.id)
		.execute();
	return { ...step, message, isDownload };
}

/** Puts the lease back into the queue, or ends it if preparations have failed too often. */
export async function failPreparation(db: Db, lease: LeaseRow, reason: string) {
	if ((await countFailures(db, lease.id)) >= mostLeaseFailures || !(await hasBoards(db, lease))) {
		const message = `The preparation of the board failed: ${reason}`;
		return endLease(db, lease.id, () => ({ reason: 'prepare_failed', message }));
	}
	return requeueLease(db, lease, patience);
}

export function describeFailure({ action, name, message }: Step) {
	if (message.startsWith(notErased)) return message;
	const step = name === null ? action : `${action} of ${name}`;
	return `${step}: ${message || 'no reason given'}`;
}

async function noteBoardFailure(db: Db, boardId: string, reason: string) {
	const { failed_preparations } = await db
		.updateTable('boards')
		.set((eb) => ({ failed_preparations: eb('failed_preparations', '+', 1) }))
		.where('id', '=', boardId)
		.returning('failed_preparations')
		.executeTakeFirstOrThrow();
	if (failed_preparations < mostBoardFailures) return;
	const text = `Preparation failed ${failed_preparations} times in a row. ${reason}`;
	const status_reason = text.slice(0, 500);
	await db
		.updateTable('boards')
		.set({ base_status: 'maintenance', status_reason, failed_preparations: 0 })
		.where('id', '=', boardId)
		.execute();
	await refreshBoards(db, [boardId]);
}

async function countFailures(db: Db, leaseId: string) {
	const { failures } = await db
		.selectFrom('lease_actions')
		.select(({ fn }) => fn.countAll().as('failures'))
		.where('lease_id', '=', leaseId)
		.where('phase', '=', 'prepare')
		.where('status', '=', 'failed')
		.executeTakeFirstOrThrow();
	return Number(failures);
}

async function hasBoards(db: Db, { board_type, wanted_board_id, requires_agent }: LeaseRow) {
	const board = await db
		.selectFrom('boards')
		.select('id')
		.where('board_type', '=', board_type)
		.where('status', 'in', ['available', 'in_use'])
		.$if(wanted_board_id !== null, (query) => query.where('id', '=', wanted_board_id))
		.$if(requires_agent === 1, (query) => query.where('agent_id', 'is not', null))
		.executeTakeFirst();
	return board !== undefined;
}
