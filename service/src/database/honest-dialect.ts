// PostgreSQL, with errors that say whether a transaction may have been committed.
import { PostgresDialect } from 'kysely';

export class HonestDialect extends PostgresDialect {
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

type Connection = Parameters<ReturnType<PostgresDialect['createDriver']>['commitTransaction']>[0];

/** A database that refuses the commit responds with an error; otherwise it may have happened. */
function explain(cause: unknown): never {
	if (cause instanceof Error && 'severity' in cause && cause.severity === 'ERROR') throw cause;
	throw new Error('The commit has no response, so it may have happened.', { cause });
}
