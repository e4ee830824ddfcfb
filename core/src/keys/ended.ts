// Deletes keys that ended long ago.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';

const batch = 500;
const keptDays = 90;

/**
 * Keeps a key while one that it created is left, because both can be revoked together. Begins with the youngest, which
 * were created by older ones.
 */
export async function deleteEndedKeys(db: Db) {
	const ended = timeIn(db, -keptDays * 24 * 60 * 60 * 1000);
	for (let before = sql`${ended}, ''`; ; ) {
		const keys = await inTransaction(db, (db) => deleteSome(db, ended, before));
		const last = keys.at(-1);
		if (keys.length < batch || !last) return;
		before = sql`${last.created_at}, ${last.id}`;
		// Queries on SQLite do not yield to the event loop.
		await nextTurn();
	}
}

async function deleteSome(db: Db, ended: string, before: RawBuilder<unknown>) {
	// The first condition lets the partial index be used.
	const { rows } = await sql<{ id: string; created_at: string }>`select id, created_at from api_keys
		where (revoked_at is not null or expires_at is not null)
		and (revoked_at < ${ended} or expires_at < ${ended}) and (created_at, id) < (${before})
		order by created_at desc, id desc limit ${batch}`.execute(db);
	for (const { id } of rows) {
		await sql`delete from api_keys where id = ${id}
			and not exists (select 1 from api_keys as other where other.created_by = ${id})`.execute(db);
	}
	return rows;
}
