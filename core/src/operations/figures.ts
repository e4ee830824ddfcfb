// Figures for a monitoring system: what the database contains, and what this process does.
import { type LogEvent, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPostgres } from '../database/postgres.ts';
import { freeSpace } from '../leases/files/store.ts';
import type { AccountState } from '../leases/rules/state.ts';

/** What this process does, each after its commit. */
export interface Happenings {
	change: [{ before: AccountState; after: AccountState }];
	console: [direction: 'input' | 'output', bytes: number];
	query: [LogEvent];
}

/** What a change means: the leases that got a board or ended, and the failures. */
export function outcomesOf({ before, after }: Happenings['change'][0]) {
	const earlier = new Map(before.leases.map((lease) => [lease.id, lease]));
	const granted = after.leases.flatMap((lease) => {
		const { id, board_type, granted_at, created_at } = lease;
		const former = earlier.get(id);
		if (granted_at === null || granted_at === former?.granted_at) return [];
		const wait = Date.parse(granted_at) - Date.parse(created_at);
		const via = lease.api_key_id === null ? 'session' : 'api_key';
		return { board_type, via, wait, isFirst: (former?.fence ?? null) === null };
	});
	const ended = after.leases.flatMap(({ id, end_reason }) =>
		end_reason === null || earlier.get(id)?.end_reason === end_reason ? [] : end_reason,
	);
	const failures = after.failures.map(({ cause, lease_id }) => ({
		cause,
		phase: earlier.get(lease_id)?.status === 'preparing' ? 'preparation' : 'lease',
	}));
	return { granted, ended, failures };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** One query after the other, on the connection for long reads. Each uses an index. */
export async function readFigures({ reader: db, clock }: Database, location: string) {
	const boards = await db
		.selectFrom('boards')
		.select(({ fn }) => ['board_type', 'status', fn.countAll<number>().as('count')])
		.groupBy(['board_type', 'status'])
		.orderBy('board_type')
		.execute();
	const leases = await db
		.selectFrom('leases')
		.select(({ fn }) => ['board_type', 'status', fn.countAll<number>().as('count')])
		.select(({ fn }) => fn.min('created_at').as('since'))
		// A literal, so that the partial index of live leases can be used.
		.where('status', '<>', sql.lit('ended'))
		.groupBy(['board_type', 'status'])
		.orderBy('since', 'desc')
		.execute();
	const { known, seen, connected } = await db
		.selectFrom('agents')
		.select(({ fn }) => [
			fn.countAll<number>().as('known'),
			fn.count<number>('last_seen_at').as('seen'),
			fn.count<number>('connection_id').as('connected'),
		])
		.where('revoked_at', 'is', null)
		.executeTakeFirstOrThrow();
	const agents = { connected, disconnected: seen - connected, never_connected: known - seen };
	const size = onPostgres(db)
		? sql<{ size: number }>`select pg_database_size(current_database()) as size`
		: sql<{
				size: number;
			}>`select page_count * page_size as size from pragma_page_count(), pragma_page_size()`;
	const { rows } = await size.execute(db);
	const free = await freeSpace(location);
	return { time: clock.now(), boards, leases, agents, size: rows[0]?.size ?? 0, free };
}
