// What the rules of leases read and change: an account with its live leases, their actions and boards.
import { withStatus } from '../../boards/status.ts';
import { costBetween } from '../../credits/charge.ts';
import { timestamp } from '../../database/clock.ts';
import type {
	AccountRow,
	BoardRow,
	CreditEntryRow,
	FailureRow,
	LeaseActionRow,
	LeaseRow,
} from '../../database/schema.ts';
import type { Settings } from '../../env.ts';
import { newFailure } from '../../operations/failures.ts';

export type LeaseLimits = Pick<
	Settings,
	'leaseMaxMinutes' | 'leasePreparationSeconds' | 'leasesPerAccount' | 'webUrl'
>;

/** The console columns of a lease that has no board. */
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
	halted_by: null,
	input_end: 0,
	input_taken: 0,
};

type HeldLease = Pick<LeaseRow, 'id' | 'held_credits'>;

export interface AccountState {
	/** The service's time, in milliseconds since 1970. */
	readonly time: number;
	readonly account: Pick<AccountRow, 'id' | 'disabled_at' | 'balance' | 'held_credits'>;
	/** The leases that may change. */
	readonly leases: readonly LeaseRow[];
	/** The other live leases of the account, oldest first. */
	readonly others: readonly HeldLease[];
	/** Of the leases that may change: open actions, and every step of their preparations. */
	readonly actions: readonly LeaseActionRow[];
	/** The boards that these leases have or may get. */
	readonly boards: readonly BoardRow[];
	/** New rows of the ledger and of failures. */
	readonly entries: readonly CreditEntryRow[];
	readonly failures: readonly FailureRow[];
	/** The leases whose console is deleted. */
	readonly withoutConsole: readonly string[];
}

export const nowIn = ({ time }: Pick<AccountState, 'time'>) => timestamp(time);

export type Leases = Pick<AccountState, 'leases'>;

export function leaseIn({ leases }: Leases, id: string) {
	return leases.find((lease) => lease.id === id);
}

/** The leases that were requested together with this one, and it: they are granted, renewed and ended together. */
export function groupOf(state: Leases, id: string) {
	const group = leaseIn(state, id)?.group_id ?? null;
	return state.leases.filter(
		(lease) => lease.id === id || (group !== null && lease.group_id === group),
	);
}

export function boardIn({ boards }: AccountState, id: string | null) {
	return boards.find((board) => board.id === id);
}

/** The credits that a lease holds: until its minutes begin, those for the highest accepted price. */
export function heldBy(lease: LeaseRow) {
	const { status, charged_from, expires_at, minutes } = lease;
	if (status === 'ended') return 0;
	if (charged_from === null || expires_at === null) return lease.most_credits_per_minute * minutes;
	return costBetween(lease.credits_per_minute, charged_from, expires_at);
}

export function liveLeases({ others, leases }: AccountState): HeldLease[] {
	return [...others, ...leases.filter(({ status }) => status !== 'ended')];
}

export function spendableIn(state: AccountState) {
	return state.account.balance - creditsHeldBy(liveLeases(state));
}

export function creditsHeldBy(leases: readonly HeldLease[]) {
	return leases.reduce((sum, { held_credits }) => sum + held_credits, 0);
}

/** The state with a lease as it is now, and with what the account counts. */
export function withLease(state: AccountState, lease: LeaseRow): AccountState {
	const held: LeaseRow = { ...lease, held_credits: heldBy(lease) };
	const rest = state.leases.filter(({ id }) => id !== lease.id);
	const changed = { ...state, leases: [...rest, held] };
	const held_credits = creditsHeldBy(liveLeases(changed));
	return { ...changed, account: { ...state.account, held_credits } };
}

export function withBoard(state: AccountState, board: BoardRow): AccountState {
	const changed = withStatus(board, nowIn(state));
	if (!boardIn(state, board.id)) throw new Error(`The board ${board.id} is not locked`);
	return {
		...state,
		boards: state.boards.map((one) => (one.id === board.id ? changed : one)),
	};
}

export function withAction(state: AccountState, action: LeaseActionRow): AccountState {
	const actions = state.actions.map((one) => (one.id === action.id ? action : one));
	return { ...state, actions };
}

export function actionsOf({ actions }: AccountState, leaseId: string) {
	return actions.filter(({ lease_id }) => lease_id === leaseId);
}

export const isOpen = ({ status }: Pick<LeaseActionRow, 'status'>) =>
	status === 'queued' || status === 'running';

/** The steps of the preparation of a lease that have not ended. */
export function openSteps(state: AccountState, leaseId: string) {
	return actionsOf(state, leaseId)
		.filter((action) => action.phase === 'prepare' && isOpen(action))
		.toSorted((one, other) => one.position - other.position);
}

/** Whether the boards of a lease and of its group are prepared. */
export function isReady(state: AccountState, id: string) {
	return groupOf(state, id).every((lease) => openSteps(state, lease.id).length === 0);
}

export function freeBoardOf(state: AccountState, lease: LeaseRow): AccountState {
	const board = boardIn(state, lease.board_id);
	if (board?.lease_id !== lease.id) return state;
	return withBoard(state, { ...board, lease_id: null, lease_account_id: null });
}

export function withFailure(
	state: AccountState,
	{ id, board_id }: LeaseRow,
	cause: Parameters<typeof newFailure>[1]['cause'],
): AccountState {
	const board = boardIn(state, board_id);
	if (!board) return state;
	const failure = newFailure(nowIn(state), {
		cause,
		lease_id: id,
		board_id: board.id,
		agent_id: board.agent_id,
	});
	return { ...state, failures: [...state.failures, failure] };
}
