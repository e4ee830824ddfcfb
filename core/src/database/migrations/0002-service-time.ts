// The service's time, apart from a wall clock that may be set.
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

export async function addServiceTime(db: Db) {
	await sql`create table service_time (
		id integer primary key check (id = 1), time bigint not null, wall bigint not null, changes bigint not null
	)`.execute(db);
}
