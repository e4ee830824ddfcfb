// What administrators do with boards. Boards that become free are granted.
import type { boardInput, boardUpdate, maintenanceInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { type Claim, once } from '../claims.ts';
import type { Caller, Core } from '../core.ts';
import type { BoardRow, Owned } from '../database/schema.ts';
import { afterChange } from '../errors.ts';
import { storeBoard, storeMaintenance, storeUpdate } from './change.ts';
import { notImported, readGiven } from './files.ts';
import { AmbiguousBoardError, type BoardInput, importBoards as storeBoards } from './import.ts';
import { readBoard } from './store.ts';

export async function createBoard(
	core: Core,
	{ accountId }: Caller,
	input: z.output<typeof boardInput>,
	claim?: Claim,
) {
	const created = await once(core, claim, {
		create: (db) => storeBoard(db, input),
		replay: (db, id) => readBoard(db, { accountId, id }),
	});
	await grantAmong(core, [input]);
	return created;
}

/** `status` is that of the board while it has no lease. */
export async function updateBoard(core: Core, owned: Owned, update: z.output<typeof boardUpdate>) {
	return changed(core, owned, await storeUpdate(core.database.query, owned.id, update));
}

/** During maintenance, the board is not granted, but its present lease goes on. */
export async function setMaintenance(
	core: Core,
	owned: Owned,
	maintenance: z.output<typeof maintenanceInput>,
) {
	return changed(core, owned, await storeMaintenance(core.database.query, owned.id, maintenance));
}

export async function importBoards(core: Core, boards: readonly BoardInput[]) {
	const counts = await storeBoards(core.database.query, boards);
	await grantAmong(core, boards);
	return counts;
}

/** Imports listed boards, or the text of a file. */
export function importGiven(core: Core, given: string | readonly BoardInput[]) {
	return importBoards(core, readGiven(given)).catch((error) => {
		throw error instanceof AmbiguousBoardError ? notImported(error) : error;
	});
}

/** Returns the board after it was granted, if somebody waits for it. */
async function changed(core: Core, owned: Owned, boards: readonly BoardRow[]) {
	await grantAmong(core, boards);
	return afterChange(readBoard(core.database.query, owned));
}

function grantAmong(core: Core, boards: readonly { board_type: string }[]) {
	return core.dispatch({ types: new Set(boards.map(({ board_type }) => board_type)) });
}
