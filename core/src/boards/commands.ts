// What administrators do with boards. Boards that become free are granted.
import { once } from '../claims.ts';
import type { Core } from '../core.ts';
import type { BoardRow, Owned } from '../database/schema.ts';
import { afterChange } from '../errors.ts';
import type { Command } from '../gate.ts';
import { storeBoard, storeMaintenance, storeUpdate } from './change.ts';
import { notImported, readGiven } from './files.ts';
import { AmbiguousBoardError, type BoardInput, importBoards as storeBoards } from './import.ts';
import { readBoard } from './store.ts';

export const createBoard: Command<'createBoard'> = async (
	core,
	{ accountId },
	{ input, claim },
) => {
	const created = await once(core, claim, {
		create: (db) => storeBoard(db, input),
		replay: (db, id) => readBoard(db, { accountId, id }),
	});
	await grantAmong(core, [input]);
	return created;
};

/** `status` is that of the board while it has no lease. */
export const updateBoard: Command<'updateBoard'> = async (core, { accountId }, { ids, input }) => {
	const boards = await storeUpdate(core.database.query, ids.id, input);
	return changed(core, { accountId, ...ids }, boards);
};

/** During maintenance, the board is not granted, but its present lease goes on. */
export const setMaintenance: Command<'setMaintenance'> = async (core, { accountId }, request) => {
	const { ids, input } = request;
	const boards = await storeMaintenance(core.database.query, ids.id, input);
	return changed(core, { accountId, ...ids }, boards);
};

export async function importBoards(core: Core, boards: readonly BoardInput[]) {
	const counts = await storeBoards(core.database.query, boards);
	await grantAmong(core, boards);
	return counts;
}

/** Imports listed boards, or the text of a file. */
export const importGiven: Command<'importBoards'> = (core, _caller, { input }) =>
	importBoards(core, readGiven(input.boards)).catch((error) => {
		throw error instanceof AmbiguousBoardError ? notImported(error) : error;
	});

/** Returns the board after it was granted, if somebody waits for it. */
async function changed(core: Core, owned: Owned, boards: readonly BoardRow[]) {
	await grantAmong(core, boards);
	return afterChange(readBoard(core.database.query, owned));
}

function grantAmong(core: Core, boards: readonly { board_type: string }[]) {
	return core.dispatch({ types: new Set(boards.map(({ board_type }) => board_type)) });
}
