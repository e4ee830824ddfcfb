// The queue is read several times a second, and is usually empty or short.
import { type Kysely, sql } from 'kysely';

export async function indexLeaseQueue(db: Kysely<unknown>) {
	await sql`create index leases_queued on leases (board_type) where status = 'queued'`.execute(db);
}
