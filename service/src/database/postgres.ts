// PostgreSQL, with errors that say whether a transaction may have been committed.
import { PostgresAdapter, PostgresDialect } from 'kysely';
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
