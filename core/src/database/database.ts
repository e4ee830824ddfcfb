// Opens the database that a setting names: a file, memory, or PostgreSQL.
import { Kysely, type LogConfig } from 'kysely';
import type { Pool, PoolConfig } from 'pg';
import { type Clock, createClock, setClock } from './clock.ts';
import { isPostgres } from './location.ts';
import { CommitCheckingDialect, useNames } from './postgres/connection.ts';
import type { Db, Schema } from './schema.ts';
import { openSqlite } from './sqlite/sqlite.ts';

export interface Database {
	readonly query: Db;
	/** For slow reads. On PostgreSQL, they have connections of their own, so that other requests do not wait. */
	readonly reader: Db;
	/** For migrations, imports and housekeeping, which may take minutes. */
	readonly patient: Db;
	/** On PostgreSQL only. */
	readonly pool?: Pool;
	/** The service's time, which all replicas share. */
	readonly clock: Clock;
	close(): Promise<void>;
}

/** Opens a database by `:memory:`, the path of a file, or a `postgres://` address. */
export async function openDatabase(location: string, log: LogConfig = []): Promise<Database> {
	if (isPostgres(location)) return openPostgres(location, log);
	const query = new Kysely<Schema>({ dialect: openSqlite(location), log });
	const clock = createClock({ db: query });
	setClock(query, clock);
	return { query, reader: query, patient: query, clock, close: () => query.destroy() };
}

/**
 * A replica that hangs must not hold up the others: its idle transaction ends before they stop waiting for its
 * locks, and a statement ends in the database before the service stops waiting for it.
 */
const forRequests: PoolConfig = {
	idle_in_transaction_session_timeout: 4_000,
	lock_timeout: 6_000,
	statement_timeout: 8_000,
	query_timeout: 10_000,
};
const forBackground: PoolConfig = {
	idle_in_transaction_session_timeout: 60_000,
	lock_timeout: 600_000,
	statement_timeout: 600_000,
};

async function openPostgres(connectionString: string, log: LogConfig): Promise<Database> {
	const { default: postgres } = await import('pg');
	// All values are far below the largest safe integer.
	postgres.types.setTypeParser(postgres.types.builtins.INT8, Number);
	const open = (options: PoolConfig) => {
		const pool = new postgres.Pool({
			connectionString,
			connectionTimeoutMillis: 3_000,
			keepAlive: true,
			// Notices a database host that disappeared without closing its connections.
			keepAliveInitialDelayMillis: 10_000,
			...options,
		});
		// The next query on a broken connection reports it.
		pool.on('error', () => {});
		pool.on('connect', (client) => {
			client.on('error', () => {});
			useNames(client);
		});
		const dialect = new CommitCheckingDialect({ pool });
		return { pool, query: new Kysely<Schema>({ dialect, log }) };
	};
	const { pool, query } = open({ max: 20, ...forRequests });
	const { query: reader } = open({ max: 3, ...forRequests, statement_timeout: 5_000 });
	const { query: patient } = open({ max: 3, ...forBackground });
	const readWall = async () => {
		const { rows } = await pool.query<{ time: number }>(
			'select (extract(epoch from clock_timestamp()) * 1000)::float8 as time',
		);
		return rows[0]?.time ?? Date.now();
	};
	const clock = createClock({ db: query, readWall });
	for (const db of [query, reader, patient]) setClock(db, clock);
	const close = async () => {
		for (const db of [query, reader, patient]) await db.destroy();
	};
	return { query, reader, patient, pool, clock, close };
}

// PostgreSQL sends 0A000 when a migration has changed the columns of a prepared statement.
const postgresAway =
	/^(08...|0A000|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0[1-35]|58...)$/;
const networkAway = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;
const poolAway =
	/timeout exceeded when trying to connect|connection terminated|query read timeout|not queryable/i;
// SQLite's result codes for busy, locked, out of memory, read-only, i/o error, full, cannot open.
const sqliteAway = new Set([5, 6, 7, 8, 10, 13, 14]);

/** Whether an error means that the database is temporarily unavailable. */
export function isDatabaseAway(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
	const { code = '', errcode } = error as Error & { code?: unknown; errcode?: unknown };
	if (code === 'ERR_SQLITE_ERROR')
		return typeof errcode === 'number' && sqliteAway.has(errcode & 0xff);
	return (
		(typeof code === 'string' && (postgresAway.test(code) || networkAway.test(code))) ||
		poolAway.test(error.message)
	);
}
