// A lease gets a board, or returns to the queue without it.
import { timestamp } from '../../database/clock.ts';
import type { BoardRow, LeaseActionRow, LeaseRow } from '../../database/schema.ts';
import { newId } from '../../identifier.ts';
import { activateIfReady } from './minutes.ts';
import {
	type AccountState,
	actionsOf,
	freeBoardOf,
	groupOf,
	isOpen,
	type LeaseLimits,
	leaseIn,
	noConsole,
	nowIn,
	withBoard,
	withLease,
} from './state.ts';
import { type PlannedStep, stepsOf, type UsableImage } from './steps.ts';

/** How often a lease may wait longer than requested. */
const maxExtensions = 2;

export interface Grant {
	leaseId: string;
	board: BoardRow;
	/** The enabled base images of the board type, in order. */
	images: readonly UsableImage[];
}

/** Grants free boards to a waiting lease and its group, each its own. */
export function grant(
	state: AccountState,
	grants: readonly Grant[],
	limits: LeaseLimits,
): AccountState {
	const [first] = grants;
	const isComplete = grants.every(({ leaseId }) => leaseIn(state, leaseId)?.status === 'queued');
	if (!first || !isComplete) return state;
	const granted = grants.reduce((after, one) => grantOne(after, one, limits), state);
	return activateIfReady(granted, first.leaseId);
}

/** The fence is higher than all earlier ones of lease and board. */
function grantOne(
	state: AccountState,
	{ leaseId: id, board, images }: Grant,
	limits: LeaseLimits,
): AccountState {
	const lease = leaseIn(state, id);
	if (!lease) return state;
	const now = nowIn(state);
	const fence = 1 + Math.max(board.fence, lease.fence ?? 0);
	const granted: LeaseRow = {
		...lease,
		status: 'preparing',
		board_id: board.id,
		fence,
		credits_per_minute: board.credits_per_minute,
		granted_at: now,
		preparation_expires_at: timestamp(state.time + limits.leasePreparationSeconds * 1000),
	};
	const first = 1 + Math.max(-1, ...actionsOf(state, id).map(({ position }) => position));
	const added = stepsOf(board, images).map((step, index) =>
		newStep(state, id, { ...step, position: first + index }),
	);
	return withBoard(withLease({ ...state, actions: [...state.actions, ...added] }, granted), {
		...board,
		lease_id: id,
		lease_account_id: lease.account_id,
		fence,
	});
}

function newStep(
	state: AccountState,
	leaseId: string,
	step: PlannedStep & Pick<LeaseActionRow, 'position'>,
): LeaseActionRow {
	return {
		id: newId('act'),
		lease_id: leaseId,
		phase: 'prepare',
		...step,
		status: 'queued',
		message: '',
		progress: null,
		console_offset: null,
		created_at: nowIn(state),
		ended_at: null,
		requested_by: null,
	};
}

/** Takes the boards from a lease that is being prepared and from its group. They wait again, with their rank. */
export function requeue(state: AccountState, { id }: LeaseRow, patience: number): AccountState {
	return groupOf(state, id).reduce((after, lease) => requeueOne(after, lease, patience), state);
}

function requeueOne(state: AccountState, lease: LeaseRow, patience: number): AccountState {
	const earliest = timestamp(state.time + patience);
	const isExtended = lease.queued_until < earliest && lease.wait_extensions < maxExtensions;
	const queued: LeaseRow = {
		...lease,
		status: 'queued',
		board_id: null,
		granted_at: null,
		preparation_expires_at: null,
		...noConsole,
		...(isExtended && { queued_until: earliest, wait_extensions: lease.wait_extensions + 1 }),
	};
	return {
		...withLease(freeBoardOf(state, lease), queued),
		actions: state.actions.filter((action) => action.lease_id !== lease.id || !isOpen(action)),
		withoutConsole: [...state.withoutConsole, lease.id],
	};
}
