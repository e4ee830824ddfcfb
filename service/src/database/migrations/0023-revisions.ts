// A number that changes with every committed change of the boards: triggers write it, no matter who
// changes the boards.

import { sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function createRevisions(db: Db) {
	await db.schema
		.createTable('revisions')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('value', 'bigint', (column) => column.notNull())
		.execute();
	await db.insertInto('revisions').values({ name: 'boards', value: 0 }).execute();
	await (onPostgres(db) ? countOnPostgres(db) : countOnSqlite(db));
}

async function countOnSqlite(db: Db) {
	for (const change of ['insert', 'update', 'delete']) {
		await sql`create trigger ${sql.ref(`boards_${change}`)} after ${sql.raw(change)} on boards begin
			update revisions set value = value + 1 where name = 'boards';
		end`.execute(db);
	}
}

// A counter would let every transaction that changes a board wait for all others until it ends.
// Deferred, the row is locked while a transaction commits and waits for nothing else. The number of
// the transaction is a revision that never comes again, and is written once however many boards change.
async function countOnPostgres(db: Db) {
	await sql`create function note_boards_change() returns trigger language plpgsql as $$
		declare transaction bigint := pg_current_xact_id()::text::bigint;
		begin
			update revisions set value = transaction where name = 'boards' and value <> transaction;
			return null;
		end $$`.execute(db);
	await sql`create constraint trigger boards_change after insert or update or delete on boards
		deferrable initially deferred for each row execute function note_boards_change()`.execute(db);
}

/**
 * Writes the revision once per transaction instead of once per board. The condition of a deferred trigger is
 * evaluated with each change. The setting ends with the transaction, and is taken back together with the
 * changes after a savepoint.
 */
export async function writeRevisionOnce(db: Db) {
	if (!onPostgres(db)) return;
	await sql`drop trigger boards_change on boards`.execute(db);
	await sql`create constraint trigger boards_change after insert or update or delete on boards
		deferrable initially deferred for each row
		when (case
			when current_setting('board_access.changes_boards', true) = pg_current_xact_id()::text then false
			else set_config('board_access.changes_boards', pg_current_xact_id()::text, true) is not null
		end)
		execute function note_boards_change()`.execute(db);
}
