// A lease gets a board, or returns to the queue without it.
import { timestamp } from '../../database/clock.ts';
import type { BoardRow, LeaseActionRow, LeaseRow } from '../../database/schema.ts';
import { newId } from '../../identifier.ts';
import { activate } from './minutes.ts';
import {
	type AccountState,
	actionsOf,
	freeBoardOf,
	isOpen,
	type LeaseLimits,
	leaseIn,
	noConsole,
	nowIn,
	withBoard,
	withLease,
} from './state.ts';
import { stepsOf, type UsableImage } from './steps.ts';

/** How often a lease may wait longer than requested. */
const maxExtensions = 2;

export interface Grant {
	board: BoardRow;
	/** The enabled base images of the board type, in order. */
	images: readonly UsableImage[];
}

/** Grants a free board to a waiting lease. The fence is higher than all earlier ones of both. */
export function grant(
	state: AccountState,
	id: string,
	{ board, images, limits }: Grant & { limits: LeaseLimits },
): AccountState {
	const lease = leaseIn(state, id);
	if (lease?.status !== 'queued') return state;
	const now = nowIn(state);
	const fence = 1 + Math.max(board.fence, lease.fence ?? 0);
	const steps = stepsOf(board, images);
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
	const added = steps.map((step, index) =>
		newStep(state, id, { ...step, position: first + index }),
	);
	const held = withBoard(withLease({ ...state, actions: [...state.actions, ...added] }, granted), {
		...board,
		lease_id: id,
		lease_account_id: lease.account_id,
		fence,
	});
	return steps.length === 0 ? activate(held, granted) : held;
}

type NewStep = Pick<
	LeaseActionRow,
	'position' | 'action' | 'name' | 'url' | 'file_id' | 'flash_offset'
>;

function newStep(state: AccountState, leaseId: string, step: NewStep): LeaseActionRow {
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

/** Takes the board from a lease that is being prepared. The lease waits again, with its rank. */
export function requeue(state: AccountState, lease: LeaseRow, patience: number): AccountState {
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
