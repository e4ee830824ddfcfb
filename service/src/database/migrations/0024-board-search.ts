// The schema of searching and sorting boards: an index for every order, and one of their words.

import { sql } from 'kysely';
import { searchColumns } from '../../boards/words.ts';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function createBoardSearch(db: Db) {
	const text = onPostgres(db) ? sql`text collate "C"` : sql`text`;
	for (const name of ['name_key', 'words']) {
		await db.schema
			.alterTable('boards')
			.addColumn(name, text, (column) => column.notNull().defaultTo(''))
			.execute();
	}
	await (onPostgres(db) ? indexOnPostgres(db) : indexOnSqlite(db));
	for (const sort of [[], ['board_type'], ['status'], ['updated_at']]) {
		await db.schema
			.createIndex(['boards', ...sort, 'sorted'].join('_'))
			.on('boards')
			.columns([...sort, 'name_key', 'id'])
			.execute();
	}
	await fillSearchColumns(db);
}

/** The parts of the index of a board's words: every word is one lexeme, as it is. */
export const lexemes = sql`array_to_tsvector(string_to_array(words, ' '))`;

async function indexOnPostgres(db: Db) {
	await sql`create index boards_words on boards using gin ((${lexemes}))`.execute(db);
}

// A table of its own rather than FTS5, which knows rows by a number that VACUUM may change.
async function indexOnSqlite(db: Db) {
	await sql`create table board_words (
		word text not null, board_id text not null, primary key (word, board_id)
	) without rowid`.execute(db);
	const words = (row: 'old' | 'new') =>
		sql`select value from json_each('["' || replace(${sql.raw(row)}.words, ' ', '","') || '"]') where value <> ''`;
	const add = sql`insert into board_words select value, new.id from (${words('new')});`;
	const remove = sql`delete from board_words where board_id = old.id and word in (${words('old')});`;
	await sql`create trigger board_words_insert after insert on boards begin ${add} end`.execute(db);
	await sql`create trigger board_words_update after update of words on boards
		when old.words <> new.words begin ${remove} ${add} end`.execute(db);
	await sql`create trigger board_words_delete after delete on boards begin ${remove} end`.execute(
		db,
	);
}

async function fillSearchColumns(db: Db) {
	let after = '';
	for (;;) {
		const rows = await db
			.selectFrom('boards')
			.select(['id', 'name', 'board_type', 'description', 'tags'])
			.where('id', '>', after)
			.orderBy('id')
			.limit(1_000)
			.execute();
		for (const row of rows) {
			const columns = searchColumns({ ...row, tags: JSON.parse(row.tags) });
			await db.updateTable('boards').set(columns).where('id', '=', row.id).execute();
		}
		after = rows.at(-1)?.id ?? '';
		if (after === '') break;
	}
	// A table with triggers that have yet to run cannot be altered by a later step.
	if (onPostgres(db)) await sql`set constraints all immediate`.execute(db);
	if (onPostgres(db)) await sql`set constraints all deferred`.execute(db);
}
