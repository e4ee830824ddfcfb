// A request has a fixed place in one order, and each agent's leased boards are found in an index.
import { sql } from 'kysely';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';

export async function addRank(db: Db) {
	// An earlier version that goes on for a while writes no rank: its requests then count by their age.
	const age = onPostgres(db) ? `(extract(epoch from now()) * 1000)::bigint` : '0';
	const created = onPostgres(db)
		? 'cast(extract(epoch from cast(created_at as timestamptz)) * 1000 as bigint)'
		: 'cast(round((julianday(created_at) - 2440587.5) * 86400000) as integer)';
	for (const statement of [
		`alter table leases add column rank bigint default ${age} not null`,
		`update leases set rank = ${created} + 600000 * (coalesce(turn, 1) - 1) where status <> 'ended'`,
		`create index leases_ranked on leases (board_type, rank, id) where status = 'queued'`,
		'create index boards_leased on boards (agent_id) where lease_id is not null',
	]) {
		await sql.raw(statement).execute(db);
	}
}
