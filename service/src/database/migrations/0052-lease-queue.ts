// The queue is looked at several times a second, and is mostly empty or short.
import { type Kysely, sql } from 'kysely';

export async function indexLeaseQueue(db: Kysely<unknown>) {
	await sql`create index leases_queued on leases (board_type) where status = 'queued'`.execute(db);
}
