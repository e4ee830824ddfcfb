// Who uses boards and waits for them, as far as the visitor may know.
import {
	countWaiting,
	type FoundBoard,
	type Member,
	type PastLease,
	type RunningLease,
	readHolderNames,
	readRunning,
	readWaiting,
} from 'board-access-core';
import type { MemberVisit } from '../pages.tsx';

/** What is shown of a board. */
export interface BoardUse {
	board: FoundBoard;
	lease: RunningLease | undefined;
	/** How many leases wait for a board of its type, or for this one. */
	waiting: number;
	/** The lease of the visitor that waits for this board. */
	waitingId: string | undefined;
}

/** What boards are used for now, which changes without a change of the boards. */
export async function readUses(visit: MemberVisit, boards: readonly FoundBoard[]) {
	const { account, parts } = visit;
	const { query } = parts.database;
	const ids = boards.map(({ id }) => id);
	const types = new Set(boards.map(({ board_type }) => board_type));
	const running = await readRunning(query, ids);
	const waiting = await countWaiting(query, [...types]);
	const own = await readWaiting(query, account.id);
	const uses = boards.map(
		(board): BoardUse => ({
			board,
			lease: running.get(board.id),
			waiting: (waiting.get(board.board_type) ?? 0) + (waiting.get(board.id) ?? 0),
			waitingId: own.get(board.id),
		}),
	);
	return { uses, viewer: { account, names: await readNames(visit, [...running.values()]) } };
}

/** Nothing for other accounts than administrators. */
export async function readNames(
	{ account, parts }: MemberVisit,
	leases: readonly (RunningLease | PastLease)[],
): Promise<HolderNames> {
	return account.role === 'admin' ? readHolderNames(parts.database.query, leases) : new Map();
}

/** Addresses of accounts and labels of keys, by their identifiers. Only administrators have them. */
export type HolderNames = ReadonlyMap<string, string>;

export interface Viewer {
	account: Pick<Member, 'id' | 'role'>;
	names: HolderNames;
}

/** Visitors see themselves; of others, only administrators see more than whether a program uses the board. */
export function describeHolder(
	{ account_id, api_key_id, label }: Pick<RunningLease, 'account_id' | 'api_key_id' | 'label'>,
	{ account, names }: Viewer,
) {
	if (account_id === account.id) return label ? `You, ${label}` : 'You';
	const email = names.get(account_id);
	if (email === undefined) return api_key_id === null ? 'Someone else' : 'An API key';
	const key = api_key_id !== null && `key ${names.get(api_key_id) ?? api_key_id}`;
	return [email, key, label].filter(Boolean).join(', ');
}

export function kindOfPast({ account_id, api_key_id }: PastLease, { account }: Viewer) {
	if (account_id === account.id) return 'yours';
	return api_key_id === null ? 'lease' : 'key';
}

export function isOwn({ lease }: BoardUse, { account }: Viewer) {
	return lease?.account_id === account.id;
}
