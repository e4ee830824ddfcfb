// What reports of agents mean for a lease, mainly during the preparation of its board.
import { notErased } from 'board-access-contract';
import { inService } from '../../boards/status.ts';
import type { LeaseActionRow, LeaseRow } from '../../database/schema.ts';
import { causeOfReport, type ReportedCause } from '../../operations/failures.ts';
import { end } from './ending.ts';
import { requeue } from './grant.ts';
import { activateIfReady } from './minutes.ts';
import {
	type AccountState,
	actionsOf,
	boardIn,
	groupOf,
	isOpen,
	isReady,
	type LeaseLimits,
	leaseIn,
	nowIn,
	openSteps,
	withAction,
	withBoard,
	withFailure,
	withLease,
} from './state.ts';

/** After this many failures in a row, a board goes into maintenance. */
const maxBoardFailures = 2;

/** After this many failures, on any boards, a lease ends. */
const maxLeaseFailures = 3;

/** How many milliseconds a lease waits at least after a failed preparation. */
const patienceAfterFailure = 10_000;

export interface Report {
	actionId: string;
	status: Exclude<LeaseActionRow['status'], 'queued'>;
	message: string;
	cause?: ReportedCause;
	/** Where the output of the action begins. */
	consoleOffset?: number | undefined;
	/** In percent, if the flash tool reports it. */
	progress?: number | undefined;
}

export interface Circumstances {
	/** Whether another suitable board is in service. */
	hasOthers: boolean;
	/** For how many milliseconds the boards rest after a failure of the agent. */
	rest: number;
}

/** Applies a report about an open action. */
export function report(
	state: AccountState,
	lease: LeaseRow,
	{ actionId, ...reported }: Report,
	circumstances: Circumstances,
): AccountState {
	const action = actionsOf(state, lease.id).find(({ id }) => id === actionId);
	if (!action || !isOpen(action)) return state;
	// Wakes requests that wait for an action.
	const current = { ...lease, action_changes: lease.action_changes + 1 };
	const stored = storeReport(withLease(state, current), { lease, action }, reported);
	const { cause, status } = reported;
	const isStep = action.phase === 'prepare' && lease.status === 'preparing';
	if (isStep && status === 'done') return finishStep(stored, current);
	if (!isStep || status !== 'failed') return stored;
	if (cause === 'agent') return blameAgent(stored, current, { actionId, ...circumstances });
	const reason = describeFailure({ ...action, ...reported });
	const counted = countBoardFailure(stored, current, reason);
	return abandon(counted, current, { reason, ...circumstances });
}

function storeReport(
	state: AccountState,
	{ lease, action }: { lease: LeaseRow; action: LeaseActionRow },
	{ status, message, cause, consoleOffset, progress }: Omit<Report, 'actionId'>,
): AccountState {
	const stored = withAction(state, {
		...action,
		status,
		message,
		ended_at: status === 'running' ? null : nowIn(state),
		...(progress !== undefined && { progress }),
		...(consoleOffset !== undefined && {
			console_offset: Math.min(consoleOffset, lease.console_end),
		}),
	});
	return status === 'failed'
		? withFailure(stored, lease, causeOfReport(action.action, cause))
		: stored;
}

/** After the last step, earlier failures of the board are forgotten, and the lease waits for nothing but its group. */
function finishStep(state: AccountState, lease: LeaseRow): AccountState {
	if (openSteps(state, lease.id).length > 0) return state;
	const board = boardIn(state, lease.board_id);
	const prepared = board ? withBoard(state, { ...board, failed_preparations: 0 }) : state;
	return activateIfReady(prepared, lease.id);
}

/** A failure of the agent counts for neither the lease nor the board. */
function blameAgent(
	state: AccountState,
	lease: LeaseRow,
	{ actionId, rest }: { actionId: string; rest: number },
): AccountState {
	const actions = state.actions.filter((action) => action.id !== actionId);
	return requeue({ ...state, actions }, lease, rest + patienceAfterFailure);
}

/** Requeues the lease and its group, or ends them after too many failures or if no board is left. */
function abandon(
	state: AccountState,
	lease: LeaseRow,
	{ reason, hasOthers }: { reason: string; hasOthers: boolean },
): AccountState {
	const group = groupOf(state, lease.id);
	const failures = group
		.flatMap(({ id }) => actionsOf(state, id))
		.filter(({ phase, status }) => phase === 'prepare' && status === 'failed');
	const own = boardIn(state, lease.board_id);
	const hasBoards = hasOthers || inService.some((status) => status === own?.status);
	if (failures.length < maxLeaseFailures && hasBoards) {
		return requeue(state, lease, patienceAfterFailure);
	}
	const message = `The preparation of the board failed: ${reason}`;
	return end(state, lease.id, { reason: 'prepare_failed', message });
}

function countBoardFailure(state: AccountState, lease: LeaseRow, reason: string): AccountState {
	const board = boardIn(state, lease.board_id);
	if (!board) return state;
	const failed_preparations = board.failed_preparations + 1;
	if (failed_preparations < maxBoardFailures) {
		return withBoard(state, { ...board, failed_preparations });
	}
	const text = `Preparation failed ${failed_preparations} times in a row. ${reason}`;
	return withBoard(state, {
		...board,
		base_status: 'maintenance',
		status_reason: text.slice(0, 500),
		failed_preparations: 0,
	});
}

/** Fails a preparation that takes too long. */
export function expirePreparation(
	state: AccountState,
	id: string,
	{ hasOthers, limits }: Pick<Circumstances, 'hasOthers'> & { limits: LeaseLimits },
): AccountState {
	const lease = leaseIn(state, id);
	if (lease?.status !== 'preparing') return state;
	if ((lease.preparation_expires_at ?? '') > nowIn(state)) return state;
	const [step] = openSteps(state, id);
	// It is as late as those of its group that have one.
	if (!step && !isReady(state, id)) return state;
	if (!step) return abandon(state, lease, { reason: 'no step of it was left', hasOthers });
	const isDownload = step.url !== null && step.file_id === null;
	const awaited = isDownload
		? 'the download of its file'
		: `the agent to ${step.status === 'queued' ? 'begin' : 'finish'} it`;
	const { leasePreparationSeconds: seconds } = limits;
	const message = `not done within ${seconds} seconds; the preparation waited for ${awaited}`;
	const cause = isDownload ? 'download_failed' : 'prepare_timeout';
	return failStep(state, lease, { step: { ...step, message }, cause, hasOthers });
}

/** Fails a preparation whose base image cannot be downloaded. */
export function failDownload(
	state: AccountState,
	id: string,
	{ url, message, hasOthers }: { url: string; message: string; hasOthers: boolean },
): AccountState {
	const lease = leaseIn(state, id);
	const step = openSteps(state, id).find((one) => one.url === url && one.file_id === null);
	if (lease?.status !== 'preparing' || !step) return state;
	const cause = 'download_failed';
	return failStep(state, lease, { step: { ...step, message }, cause, hasOthers });
}

interface Failed {
	step: LeaseActionRow;
	cause: 'download_failed' | 'prepare_timeout';
	hasOthers: boolean;
}

function failStep(state: AccountState, lease: LeaseRow, { step, cause, hasOthers }: Failed) {
	const stored = withAction(state, { ...step, status: 'failed', ended_at: nowIn(state) });
	const failed = withFailure(stored, lease, cause);
	const reason = describeFailure(step);
	// A download that fails or takes too long is no failure of the board.
	const counted = cause === 'download_failed' ? failed : countBoardFailure(failed, lease, reason);
	return abandon(counted, lease, { reason, hasOthers });
}

type FailedStep = Pick<LeaseActionRow, 'action' | 'name' | 'message'>;

export function describeFailure({ action, name, message }: FailedStep) {
	if (message.startsWith(notErased)) return message;
	const step = name === null ? action : `${action} of ${name}`;
	return `${step}: ${message || 'no reason given'}`;
}
