// Figures for a monitoring system: what the database contains, and what this process does.
import { type LogEvent, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPostgres } from '../database/postgres.ts';
import type { FailureRow, LeaseRow } from '../database/schema.ts';

type Changed = { leases: readonly LeaseRow[]; failures: readonly FailureRow[] };

/** What this process does, each after its commit. */
export interface Happenings {
	change: [{ before: Changed; after: Changed }];
	console: [direction: 'input' | 'output', bytes: number];
	query: [LogEvent];
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

type Count = { board_type: string; status: string; count: number };
type Totals = { used: number; connected: number; disconnected: number; never_connected: number };

/** On the connection for long reads. Leases that have ended are not read. */
export async function readFigures({ reader, clock }: Database) {
	const boards = await sql<Count>`select board_type, status, count(*) as count
		from boards group by board_type, status order by board_type`.execute(reader);
	const leases = await sql<Count & { since: string }>`select board_type, status, count(*) as count,
		min(created_at) as since from leases where status <> 'ended'
		group by board_type, status order by since desc`.execute(reader);
	const used = onPostgres(reader)
		? sql`pg_database_size(current_database())`
		: sql`(select page_count * page_size from pragma_page_count(), pragma_page_size())`;
	const totals = await sql<Totals>`select ${used} as used, count(connection_id) as connected,
		count(last_seen_at) - count(connection_id) as disconnected,
		count(*) - count(last_seen_at) as never_connected
		from agents where revoked_at is null`.execute(reader);
	return { time: clock.now(), boards: boards.rows, leases: leases.rows, totals: totals.rows[0] };
}
