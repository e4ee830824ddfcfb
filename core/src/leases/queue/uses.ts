// What boards are used for now, as far as the visitor may know.
import { capabilitiesOf } from '../../boards/capabilities.ts';
import { readManaged } from '../../boards/history.ts';
import { type FoundBoard, findShownBoard } from '../../boards/list.ts';
import { noSuchBoard } from '../../boards/store.ts';
import { findFreeBoard } from '../../boards/types.ts';
import { spendableCredits } from '../../credits/holds.ts';
import { clockOf } from '../../database/clock.ts';
import type { Db } from '../../database/schema.ts';
import { estimate } from './estimate.ts';
import {
	countWaiting,
	readHolderNames,
	readQueueOfType,
	readRunning,
	readWaiting,
} from './usage.ts';

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
