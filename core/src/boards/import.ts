// Imports boards. A board is known by its id or, without one, by its name and type; known boards are changed.
import type { importedBoard } from 'board-access-contract';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { jsonRows } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { newId } from '../identifier.ts';
import { columnsOf } from './change.ts';
import { changeBoards, lockBoards, withIds } from './save.ts';
import { sortKey } from './words.ts';

type ReadBoard = z.output<typeof importedBoard>;

export type BoardInput = Omit<ReadBoard, 'status' | 'status_reason'> & {
	/** By default, known boards keep their status, and new ones are available. */
	status?: ReadBoard['status'] | undefined;
	status_reason?: string;
};

/** A given board matches several boards, or is given twice. */
export class AmbiguousBoardError extends Error {}

/** Writes all boards or none. */
export function importBoards(db: Db, boards: readonly BoardInput[]) {
	return inTransaction(db, async (transaction) => {
		const counts = { added: 0, changed: 0, unchanged: 0 };
		const seen = new Set<string>();
		const locked = await lockKnown(transaction, boards);
		for (const board of boards) {
			// Looked up by name again, because earlier boards of the import may have changed names.
			const known = locked.has(board.id) ? board.id : await knownId(transaction, board);
			const id = board.id ?? known ?? newId('brd');
			if (seen.has(id)) throw new AmbiguousBoardError(`The board ${board.name} is given twice`);
			seen.add(id);
			const isWritten = await importBoard(transaction, { ...board, id });
			counts[known ? (isWritten ? 'changed' : 'unchanged') : 'added'] += 1;
		}
		if (counts.added + counts.changed > 0) {
			await record(transaction, { kind: 'boards.imported', details: counts });
		}
		return counts;
	});
}

/** Locks all known boards at once, in the order of their ids, and returns these. */
async function lockKnown(db: Db, boards: readonly BoardInput[]) {
	const known: { id: string | undefined }[] = [];
	for (const board of boards) known.push({ id: await knownId(db, board) });
	// One parameter, because a statement cannot have one for each of many thousands of boards.
	const isKnown = sql<boolean>`id in (select entry.value ->> 'id' from ${jsonRows(db, known)} as entry)`;
	const locked = await lockBoards(db, (boards) => boards.where(isKnown));
	return new Set<string | undefined>(locked.map(({ id }) => id));
}

/** Returns whether the board was new or had other values. */
async function importBoard(db: Db, board: BoardInput & { id: string }) {
	const { id, status = 'available', status_reason = '' } = board;
	const { base_status, ...columns } = columnsOf({ ...board, status });
	const given = { ...columns, ...(board.status && { base_status, status_reason }) };
	const updated_at = timeIn(db);
	const isAnother = Object.keys(given).map(
		(name): RawBuilder<unknown> => sql`boards.${sql.ref(name)} <> excluded.${sql.ref(name)}`,
	);
	const written = await db
		.insertInto('boards')
		.values({ ...given, base_status, status_reason, status, created_at: updated_at, updated_at })
		// The current status also depends on lease and agent.
		.onConflict((conflict) =>
			conflict
				.column('id')
				.doUpdateSet({ ...given, updated_at })
				.where(sql<boolean>`(${sql.join(isAnother, sql` or `)})`),
		)
		.returning('id')
		.executeTakeFirst();
	if (written) await changeBoards(db, withIds([id]), (board) => board);
	return written !== undefined;
}

async function knownId(db: Db, { id, name, board_type }: BoardInput) {
	if (id !== undefined) {
		const board = db.selectFrom('boards').select('id').where('id', '=', id);
		return (await board.executeTakeFirst())?.id;
	}
	const [known, another] = await db
		.selectFrom('boards')
		.select('id')
		.where('board_type', '=', board_type)
		.where('name_key', '=', sortKey(name))
		.where('name', '=', name)
		.orderBy('id')
		.limit(2)
		.execute();
	if (!another) return known?.id;
	throw new AmbiguousBoardError(
		`Several boards have the name ${name} and the type ${board_type}; specify the id of the board to change`,
	);
}
