// Numbered steps from an empty database to the current schema. A released step is never edited.

import { type Migration, Migrator, sql } from 'kysely';
import { createRevisions, writeRevisionOnce } from './migrations/0023-revisions.ts';
import { createBoardSearch } from './migrations/0024-board-search.ts';
import { statements } from './migrations/statements.ts';
import { onPostgres } from './postgres.ts';
import type { Db } from './schema.ts';

const steps: Record<string, Migration> = {
	'0023-revisions': { up: createRevisions },
	'0024-board-search': { up: createBoardSearch },
	'0053-revision-once': { up: writeRevisionOnce },
};
for (const [name, text] of Object.entries(statements)) steps[name] = { up: (db) => run(db, text) };

export const migrations = Object.fromEntries(
	Object.entries(steps).sort(([one], [other]) => (one < other ? -1 : 1)),
);

async function run(db: Db, text: (typeof statements)[string]) {
	const script = typeof text === 'string' ? text : text(onPostgres(db));
	const each = script.split(';').filter((statement) => statement.trim());
	for (const statement of each) await sql.raw(statement).execute(db);
}

/** Brings the schema up to date, under a lock, and returns the steps that were applied. */
export async function migrate(db: Db): Promise<string[]> {
	const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
	const { error, results } = await migrator.migrateToLatest();
	if (error) throw error;
	return (results ?? []).map((step) => step.migrationName);
}
