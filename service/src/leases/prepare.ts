// Brings a board to its known state at the start of a lease.
import type { Kysely } from 'kysely';
import type { BoardRow, LeaseRow, Schema } from '../database/schema.ts';

/** Creates the actions that prepare the board; none means that the board is ready as it is. */
export async function prepareBoard(
	_db: Kysely<Schema>,
	_granted: { lease: LeaseRow; board: BoardRow },
): Promise<void> {}
