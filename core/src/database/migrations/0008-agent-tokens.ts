// Agents whose token is replaced while they are connected.
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

export async function addFormerTokens(db: Db) {
	for (const statement of [
		'alter table agents add column former_hash text',
		'alter table agents add column former_until text',
		'create index agents_by_former_hash on agents (former_hash)',
	]) {
		await sql.raw(statement).execute(db);
	}
}
