// API keys whose leases may cost only so much.
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

export async function addKeyLimits(db: Db) {
	for (const statement of [
		'alter table api_keys add column credit_limit integer',
		'create index leases_of_key on leases (api_key_id) where api_key_id is not null',
	]) {
		await sql.raw(statement).execute(db);
	}
}
