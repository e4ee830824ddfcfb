// PostgreSQL, with errors that say whether a transaction may have been committed.
import { PostgresAdapter, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import type { Db } from './schema.ts';

export function onPostgres(db: Db) {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

type Driver = ReturnType<PostgresDialect['createDriver']>;
type Connection = Parameters<Driver['commitTransaction']>[0];

export class CommitCheckingDialect extends PostgresDialect {
	override createDriver() {
		const driver = super.createDriver();
		const commit = driver.commitTransaction.bind(driver);
		const rollback = driver.rollbackTransaction.bind(driver);
		return Object.assign(driver, {
			commitTransaction: (connection: Connection) => commit(connection).catch(explain),
			// Without a connection, it fails, too, and its error would hide the first one.
			rollbackTransaction: (connection: Connection) => rollback(connection).catch(() => {}),
		});
	}
}

/** A database that rejects the commit responds with an error; otherwise it may have happened. */
function explain(cause: unknown): never {
	if (cause instanceof Error && 'severity' in cause && cause.severity === 'ERROR') throw cause;
	throw new Error('The commit has no response, so it may have happened.', { cause });
}

const named = new Map<string, string>();

/** Has PostgreSQL keep the plan of a statement whose constants are part of its text. */
export function nameStatement(text: string) {
	named.set(text, `statement ${named.size}`);
}

/** Sends the statements that have a name by it. */
export function useNames(client: PoolClient) {
	const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
	const send = (text: unknown, values: unknown, ...rest: unknown[]) => {
		const name = typeof text === 'string' ? named.get(text) : undefined;
		return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest);
	};
	Object.assign(client, { query: send });
}

/** Whether an error means that a row with the same primary key, or another unique one, exists in the table. */
export function isUniqueViolation(error: unknown, table: string) {
	if (!(error instanceof Error)) return false;
	if ('table' in error && 'code' in error) return error.code === '23505' && error.table === table;
	return error.message.startsWith(`UNIQUE constraint failed: ${table}.`);
}
