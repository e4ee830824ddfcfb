// Kysely over node:sqlite: its own SQLite dialect, given the few methods it asks for.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { filePath } from '../location.ts';
import { withRetries } from './busy.ts';

const maxStatements = 200;

/** Opens the file (or `:memory:`) so that a confirmed change survives a power cut. */
export function openSqlite(file: string) {
	makePrivate(file);
	const connection = new DatabaseSync(file, { timeout: 5_000 });
	connection.exec('pragma journal_mode = wal; pragma synchronous = full');
	// What is deleted is overwritten, so that nobody finds it in the file or in a copy of it.
	connection.exec('pragma secure_delete = on');
	connection.exec('pragma busy_timeout = 0');
	const database = withCachedStatements(connection);
	return {
		dialect: new LockingSqliteDialect(database, connection),
		/** Reads at once, without waiting in the queue, unless a transaction is open. */
		readNow(sql: string, parameters: readonly unknown[]) {
			if (connection.isTransaction) return undefined;
			return database.prepare(sql).all(parameters);
		},
	};
}

/** Makes a new file readable by its owner only; SQLite does the same for its log. */
export function makePrivate(file: string) {
	const path = filePath(file);
	// An address with its own mode may require that the file exists.
	if (path && !/^file:.*[?&]mode=r[ow](&|$)/.test(file)) closeSync(openSync(path, 'a', 0o600));
}

// SQLite can undo a half-done migration; Kysely leaves that out, and with it the lock.
class LockingSqliteDialect extends SqliteDialect {
	readonly #connection: DatabaseSync;

	constructor(database: SqliteDatabase, connection: DatabaseSync) {
		super({ database });
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

/** Prepares each text once; begins again when there are too many. */
function withCachedStatements(database: DatabaseSync): SqliteDatabase {
	const statements = new Map<string, SqliteStatement>();
	const prepare = (sql: string) => {
		const known = statements.get(sql);
		if (known) return known;
		if (statements.size >= maxStatements) statements.clear();
		// A transaction that takes the write lock late can fail half-way on a busy database.
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

/** SQLite rolls back by itself when the disk is full; a second rollback would hide that error. */
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

// The schema's columns are text and numbers only, so every parameter can be bound.
function bindable(parameters: readonly unknown[]) {
	return parameters as SQLInputValue[];
}
