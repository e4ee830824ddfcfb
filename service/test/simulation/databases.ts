// The database of a simulation: PostgreSQL in its own processes, or an SQLite file.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'pg';
import { startPostgres } from '../support/postgres.ts';
import { processorTimeOfFamily } from './machine.ts';

/** Totals since the start of the database. */
interface DatabaseUsage {
	microseconds: number;
	statements: number;
	walBytes: number;
}

export interface SimulationDatabase {
	kind: 'PostgreSQL' | 'SQLite';
	location: string;
	/** Runs statements, and returns the rows of the last one. */
	run(text: string): Promise<Record<string, unknown>[]>;
	usage(): Promise<DatabaseUsage>;
	/** Megabytes by table, with indexes. */
	sizes(): Promise<Record<string, number>>;
	remove(): Promise<void>;
}

export async function openPostgres(): Promise<SimulationDatabase> {
	const cluster = await startPostgres();
	const location = `${cluster.url}/postgres`;
	const settings = new postgres.Client({ connectionString: location });
	await settings.connect();
	await settings.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
	await settings.end();
	await cluster.stop();
	await cluster.start();
	const client = new postgres.Client({ connectionString: location });
	await client.connect();
	await client.query('create extension pg_stat_statements');
	const [pid] = (await readFile(join(cluster.databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
	const run = async (text: string) => {
		const result = await client.query(text);
		// The caller knows the columns of its statement.
		return ([result].flat().at(-1)?.rows ?? []) as Record<string, unknown>[];
	};
	return {
		kind: 'PostgreSQL',
		location,
		run,
		async usage() {
			const [row] = await run(`select (select sum(calls) from pg_stat_statements)::bigint as calls,
				pg_current_wal_lsn() - '0/0' as wal`);
			return {
				microseconds: await processorTimeOfFamily(Number(pid)),
				statements: Number(row?.calls),
				walBytes: Number(row?.wal),
			};
		},
		async sizes() {
			const rows = await run(`select relname as name, pg_total_relation_size(oid) / 1e6 as size
				from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
			return Object.fromEntries(rows.map(({ name, size }) => [String(name), Number(size)]));
		},
		async remove() {
			await client.end();
			await cluster.remove();
		},
	};
}

export async function openSqlite(): Promise<SimulationDatabase> {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-simulation-'));
	const location = join(folder, 'service.db');
	return {
		kind: 'SQLite',
		location,
		async run(text) {
			const connection = new DatabaseSync(location, { timeout: 30_000 });
			try {
				const statements = text.split(/;\s*$/m).filter((each) => each.trim() !== '');
				for (const statement of statements.slice(0, -1)) connection.exec(statement);
				return connection.prepare(statements.at(-1) ?? 'select 1').all();
			} finally {
				connection.close();
			}
		},
		// With SQLite, the service does the work of the database itself.
		usage: async () => ({ microseconds: 0, statements: 0, walBytes: 0 }),
		sizes: async () => ({ 'database file': (await stat(location)).size / 1e6 }),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
