// Leases by tags, and groups of leases.
import { sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function addGroups(db: Db) {
	for (const statement of [
		`alter table leases add column wanted_tags text default '{}' not null`,
		'alter table leases add column group_id text',
		'alter table leases add column role text',
		'alter table leases add column same_tag text',
		'create index leases_of_group on leases (group_id) where group_id is not null',
		...(onPostgres(db) ? [] : lastIndex),
	]) {
		await sql.raw(statement).execute(db);
	}
}

/** With more columns, SQLite finds two indexes of leases equal for the live ones, and uses the last. */
const lastIndex = [
	'drop index leases_live',
	`create index leases_live on leases (account_id, created_at, id) where status <> 'ended'`,
];
