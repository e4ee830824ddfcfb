// Kysely's SQLite dialect on node:sqlite.
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
	// Overwrites deleted data, so that no copy of the file contains it.
	connection.exec('pragma secure_delete = on');
	connection.exec('pragma busy_timeout = 0');
	return new LockingSqliteDialect(connection);
}

/** Makes a new file readable only by its owner; SQLite gives its log the same permissions. */
export function makePrivate(file: string) {
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
