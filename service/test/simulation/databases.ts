// The database of a simulation, and what it has used: PostgreSQL in its own processes, or an SQLite file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDatabase } from '../siege/database.ts';
import { startPostgres } from '../support/postgres.ts';
import { processorTimeOfFamily } from './machine.ts';

export type SimulationDatabase = Awaited<ReturnType<typeof openPostgres | typeof openSqlite>>;

export async function openPostgres() {
	const cluster = await startPostgres(['-c', 'shared_preload_libraries=pg_stat_statements']);
	const database = await newDatabase(cluster.url);
	const { run } = database;
	await run('create extension pg_stat_statements');
	const [pid] = (await readFile(join(cluster.databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
	return {
		...database,
		kind: 'PostgreSQL' as const,
		/** Totals since the start: microseconds, statements, and bytes of the WAL. */
		async usage() {
			const [row] = await run(`select (select sum(calls) from pg_stat_statements)::bigint as calls,
				pg_current_wal_lsn() - '0/0' as wal`);
			const database = await processorTimeOfFamily(Number(pid));
			return { database, statements: Number(row?.calls), wal: Number(row?.wal) };
		},
		/** Megabytes by table, with indexes. */
		async sizes() {
			const rows = await run(`select relname as name, pg_total_relation_size(oid) / 1e6 as size
				from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
			return Object.fromEntries(rows.map(({ name, size }) => [String(name), Number(size)]));
		},
		[Symbol.asyncDispose]: cluster.remove,
	};
}

/** The service does the work of an SQLite database itself. */
export async function openSqlite() {
	const database = await newDatabase();
	return {
		...database,
		kind: 'SQLite' as const,
		usage: async () => ({ database: 0, statements: 0, wal: 0 }),
		sizes: async () => ({ 'database file': (await database.bytes()) / 1e6 }),
	};
}
