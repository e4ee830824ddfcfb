// The revision of the boards is written once per transaction instead of once per board.
import { type Kysely, sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Schema } from '../schema.ts';

// The condition of a deferred trigger is evaluated with each change. The setting ends with the transaction,
// and is taken back together with the changes after a savepoint.
export async function writeRevisionOnce(db: Kysely<Schema>) {
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
