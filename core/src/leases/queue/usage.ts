// How boards are used now, and which leases wait for them, as far as the visitor may know.
import { sql } from 'kysely';
import { capabilitiesOf } from '../../boards/capabilities.ts';
import { type FoundBoard, findShownBoard } from '../../boards/list.ts';
import { inService } from '../../boards/status.ts';
import { noSuchBoard } from '../../boards/store.ts';
import { findFreeBoard } from '../../boards/types.ts';
import { spendableCredits } from '../../credits/holds.ts';
import { clockOf } from '../../database/clock.ts';
import type { Db, LeaseRow } from '../../database/schema.ts';
import { estimate, probableEnd } from './estimate.ts';
import { inOrder, isQueued } from './plan.ts';

/** With more, when a board becomes free is no more than a guess. */
const maxCompared = 500;

/** The leases that hold these boards now, by the board, and when they probably end. */
export async function readRunning(db: Db, boardIds: readonly string[], now = clockOf(db).now()) {
	const leases = db
		.selectFrom('leases')
		.select(['id', 'board_id', 'account_id', 'api_key_id', 'label', 'status', 'minutes'])
		.select(['granted_at', 'expires_at'])
		.where('board_id', 'in', boardIds)
		// Literals, so that the partial index of held boards can be used.
		.where(sql<boolean>`status in ('preparing', 'active')`);
	const rows = boardIds.length === 0 ? [] : await leases.execute();
	const held = rows.map((lease) => ({ ...lease, endsAt: probableEnd(lease, now) }));
	return new Map(held.map((lease) => [lease.board_id ?? '', lease]));
}

/** The boards of a type that are granted, and the leases that wait for them in their order. */
export async function readQueueOfType(db: Db, boardType: string, now: number) {
	const usable = await db
		.selectFrom('boards')
		.select(['id', 'name', 'board_type', 'status', 'credits_per_minute', 'agent_id', 'tags'])
		.where('board_type', '=', boardType)
		.where('status', 'in', inService)
		.orderBy('name_key')
		.limit(maxCompared)
		.execute();
	const held = await readRunning(
		db,
		usable.map(({ id }) => id),
		now,
	);
	const queue = await db
		.selectFrom('leases')
		.select(['id', 'account_id', 'api_key_id', 'label', 'wanted_board_id', 'requires_agent'])
		.select(['board_type', 'wanted_tags', 'most_credits_per_minute', 'minutes', 'queued_until'])
		.where(isQueued)
		.where('board_type', '=', boardType)
		.$call(inOrder)
		.limit(maxCompared)
		.execute();
	const boards = usable.flatMap(({ status, ...board }) => {
		const lease = held.get(board.id);
		// One that an administrator has set in use.
		if (status === 'in_use' && !lease) return [];
		return { ...board, lease, freeAt: lease?.endsAt ?? now };
	});
	return { boards, queue };
}

/** The last leases of a type that were used and have ended. */
export function pastOfType(db: Db, boardType: string, count: number) {
	return db
		.selectFrom('leases')
		.where('board_type', '=', boardType)
		.where('ended_at', 'is not', null)
		.where('charged_from', 'is not', null)
		.orderBy('ended_at', 'desc')
		.limit(count);
}

/** How many leases wait for boards of these types: by the type, or by the board if they want no other. */
export async function countWaiting(db: Db, types: readonly string[]) {
	if (types.length === 0) return new Map<string, number>();
	const rows = await db
		.selectFrom('leases')
		.select(['board_type', 'wanted_board_id', ({ fn }) => fn.countAll().as('leases')])
		.where(isQueued)
		.where('board_type', 'in', types)
		.groupBy(['board_type', 'wanted_board_id'])
		.execute();
	return new Map(rows.map((row) => [row.wanted_board_id ?? row.board_type, Number(row.leases)]));
}

/** The leases of an account that wait for one certain board, by the board. */
export async function readWaiting(db: Db, accountId: string) {
	const rows = await db
		.selectFrom('leases')
		.select(['id', 'wanted_board_id'])
		.where('account_id', '=', accountId)
		.where(isQueued)
		.orderBy('created_at', 'desc')
		.execute();
	return new Map(rows.map(({ id, wanted_board_id }) => [wanted_board_id ?? '', id]));
}

type Held = Pick<LeaseRow, 'account_id' | 'api_key_id'>;

/** The addresses of the accounts that have these leases, and the labels of the keys that they were created with. */
export async function readHolderNames(db: Db, leases: readonly Held[]) {
	const ids = leases.flatMap(({ account_id, api_key_id }) => [account_id, api_key_id ?? []].flat());
	if (ids.length === 0) return new Map<string, string>();
	const accounts = await db
		.selectFrom('accounts')
		.select(['id', 'email as name'])
		.where('id', 'in', ids)
		.unionAll(
			db
				.selectFrom('api_keys')
				.select(['id', sql<string>`coalesce(label, hint)`.as('name')])
				.where('id', 'in', ids),
		)
		.execute();
	return new Map(accounts.map(({ id, name }) => [id, name]));
}

interface Visitor {
	accountId: string;
	isAdmin: boolean;
}

export type BoardUse = Awaited<ReturnType<typeof readUses>>['uses'][number];
export type BoardView = Awaited<ReturnType<typeof readBoardView>>;

/** What boards are used for now, which changes without a change of the boards. */
export async function readUses(db: Db, visitor: Visitor, boards: readonly FoundBoard[]) {
	const ids = boards.map(({ id }) => id);
	const types = new Set(boards.map(({ board_type }) => board_type));
	const running = await readRunning(db, ids);
	const waiting = await countWaiting(db, [...types]);
	const own = await readWaiting(db, visitor.accountId);
	const uses = boards.map((board) => ({
		board,
		lease: running.get(board.id),
		/** How many leases wait for a board of its type, or for this one. */
		waiting: (waiting.get(board.board_type) ?? 0) + (waiting.get(board.id) ?? 0),
		/** The lease of the visitor that waits for this board. */
		waitingId: own.get(board.id),
	}));
	/** Addresses of accounts and labels of keys, by their identifiers. Only administrators have them. */
	const names = await readHolderNames(db, visitor.isAdmin ? [...running.values()] : []);
	return { uses, names };
}

/** What the page of a board shows. */
export async function readBoardView(db: Db, visitor: Visitor, id: string) {
	const found = await findShownBoard(db, id);
	const { uses, names } = await readUses(db, visitor, found ? [found] : []);
	const [use] = uses;
	if (!use) throw noSuchBoard();
	const { board } = use;
	const now = clockOf(db).now();
	const managed = await readManaged(db, id);
	const capabilities = capabilitiesOf(managed);
	return {
		...{ use, names, managed, capabilities, now },
		spendable: await spendableCredits(db, visitor.accountId),
		...(board.status !== 'available' && (await readAlternatives(db, board, now))),
	};
}

async function readAlternatives(db: Db, board: FoundBoard, now: number) {
	const { boards, queue } = await readQueueOfType(db, board.board_type, now);
	return {
		/** When another lease can probably have the board; undefined if nobody can know. */
		start: estimate(boards, queue).free.get(board.id),
		/** A board of the same type that is free now. */
		alternative: await findFreeBoard(db, board),
	};
}

/** What administrators see of a board, and what its agent can do with it. */
function readManaged(db: Db, id: string) {
	return db
		.selectFrom('boards')
		.leftJoin('agents', 'agents.id', 'agent_id')
		.select(['base_status', 'capabilities', 'agent_id', 'agents.name as agent_name'])
		.where('boards.id', '=', id)
		.executeTakeFirstOrThrow();
}

export function medianOf(numbers: readonly number[]) {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
