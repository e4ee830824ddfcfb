// Kysely's SQLite dialect on node:sqlite, for one service at a time.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import {
	type CompiledQuery,
	type DatabaseConnection,
	type Driver,
	SqliteAdapter,
	type SqliteDatabase,
	SqliteDialect,
	type SqliteStatement,
} from 'kysely';
import { filePath } from '../location.ts';

const maxStatements = 200;

/** Opens the file (or `:memory:`) so that a confirmed change survives a power cut. */
export function openSqlite(file: string) {
	makePrivate(file);
	const connection = new DatabaseSync(file, { timeout: 5_000 });
	connection.exec('pragma journal_mode = wal; pragma synchronous = full');
	// Overwrites deleted data, so that no copy of the file contains it.
	connection.exec('pragma secure_delete = on');
	connection.exec('pragma busy_timeout = 0');
	return new LockingSqliteDialect(connection);
}

/**
 * Claims a database file, and returns a function that releases it. Throws if another service uses the file, because two
 * would not notice each other's changes. The lock is on a file of its own, so that commands and backups go on, and it
 * ends with the process.
 */
export function claimFile(location: string) {
	const path = filePath(location);
	if (!path) return () => {};
	const file = `${path}-lock`;
	makePrivate(file);
	const lock = new DatabaseSync(file, { timeout: 1_000 });
	try {
		lock.exec('begin immediate');
	} catch (error) {
		lock.close();
		if (!isBusy(error)) throw error;
		throw new Error(
			`Another service uses ${path}. Stop it first; only with PostgreSQL can several run at a time.`,
		);
	}
	return () => lock.close();
}

/** Makes a new file readable only by its owner; SQLite gives its log the same permissions. */
function makePrivate(file: string) {
	const path = filePath(file);
	// With `mode=ro` or `mode=rw`, the file has to exist already.
	if (path && !/^file:.*[?&]mode=r[ow](&|$)/.test(file)) closeSync(openSync(path, 'a', 0o600));
}

// Kysely assumes that SQLite cannot roll back schema changes, and then takes no lock for migrations.
class LockingSqliteDialect extends SqliteDialect {
	readonly #connection: DatabaseSync;

	constructor(connection: DatabaseSync) {
		super({ database: withCachedStatements(connection) });
		this.#connection = connection;
	}

	override createDriver() {
		return withRetries(super.createDriver(), () => this.#connection.isTransaction);
	}

	override createAdapter() {
		return new LockingSqliteAdapter();
	}
}

class LockingSqliteAdapter extends SqliteAdapter {
	override get supportsTransactionalDdl() {
		return true;
	}
}

/** Prepares each statement once, and drops all when there are too many. */
function withCachedStatements(database: DatabaseSync): SqliteDatabase {
	const statements = new Map<string, SqliteStatement>();
	const prepare = (sql: string) => {
		const known = statements.get(sql);
		if (known) return known;
		if (statements.size >= maxStatements) statements.clear();
		// A transaction that takes the write lock later could fail halfway.
		const plain = asStatement(database.prepare(sql === 'begin' ? 'begin immediate' : sql));
		const statement = sql === 'rollback' ? rollback(plain) : plain;
		statements.set(sql, statement);
		return statement;
	};
	return { close: () => database.close(), prepare };
}

function asStatement(statement: StatementSync): SqliteStatement {
	return {
		reader: statement.columns().length > 0,
		all: (parameters) => statement.all(...bindable(parameters)),
		run: (parameters) => statement.run(...bindable(parameters)),
		iterate: (parameters) => statement.iterate(...bindable(parameters)),
	};
}

/** SQLite rolls back by itself when the disk is full. The error of a second rollback would hide that. */
function rollback(statement: SqliteStatement): SqliteStatement {
	return {
		...statement,
		run(parameters) {
			try {
				return statement.run(parameters);
			} catch (error) {
				if (!/no transaction is active/.test(String(error))) throw error;
				return { changes: 0, lastInsertRowid: 0 };
			}
		},
	};
}

// All columns are text, numbers or bytes, so every parameter can be bound.
function bindable(parameters: readonly unknown[]) {
	return parameters as SQLInputValue[];
}

const maxWait = 5_000;
const betweenAttempts = 20;

/** Retries statements for up to five seconds, except within a transaction, whose earlier statements would be lost. */
function withRetries(driver: Driver, isInTransaction: () => boolean): Driver {
	const acquire = driver.acquireConnection.bind(driver);
	const acquireConnection = async (): Promise<DatabaseConnection> => {
		const connection = await acquire();
		const executeQuery = async <Row>(query: CompiledQuery) => {
			const until = performance.now() + maxWait;
			for (;;) {
				try {
					return await connection.executeQuery<Row>(query);
				} catch (error) {
					if (!isBusy(error) || isInTransaction() || performance.now() > until) throw error;
				}
				// Others use the connection meanwhile.
				await driver.releaseConnection(connection);
				await setTimeout(betweenAttempts);
				await acquire();
			}
		};
		return { streamQuery: connection.streamQuery.bind(connection), executeQuery };
	};
	return Object.assign(driver, { acquireConnection });
}

const busy = 5;

function isBusy(error: unknown) {
	if (!(error instanceof Error && 'errcode' in error)) return false;
	return typeof error.errcode === 'number' && (error.errcode & 0xff) === busy;
}
