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
			commitTransaction: (connection: Connection) => commit(connection).catch(explainCommit),
			// Without a connection, it fails, too, and its error would hide the first one.
			rollbackTransaction: (connection: Connection) => rollback(connection).catch(() => {}),
		});
	}
}

/** A database that rejects the commit responds with an error; otherwise it may have happened. */
export function explainCommit(cause: unknown): never {
	if (cause instanceof Error && 'severity' in cause && cause.severity === 'ERROR') throw cause;
	throw new Error('The commit has no response, so it may have happened.', { cause });
}

const named = new Map<string, string>();
let names = 0;

/** Has PostgreSQL keep the plan of a statement whose constants are part of its text. */
export function nameStatement(text: string) {
	names += 1;
	named.set(text, `statement ${names}`);
}

/** Whatever its values are, the row is found by its primary key. */
const findsById = /^select [^()]+ from "\w+" where "id" = \$1( and "\w+" = \$\d)*$/;

/** Sends the statements that have a name by it. */
export function useNames(client: PoolClient) {
	const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
	const send = (text: unknown, values: unknown, ...rest: unknown[]) => {
		if (typeof text === 'string' && !named.has(text) && findsById.test(text)) nameStatement(text);
		const name = typeof text === 'string' ? named.get(text) : undefined;
		if (typeof text !== 'string' || !name) return query(text, values, ...rest);
		const sent = query({ name, text, values }, ...rest);
		return sent instanceof Promise ? sent.catch(planAgain(text)) : sent;
	};
	Object.assign(client, { query: send });
}

/** A plan whose columns a migration has changed is of no use any more under its name. */
function planAgain(text: string) {
	return (error: unknown) => {
		if (error instanceof Error && /cached plan must not change/.test(error.message))
			nameStatement(text);
		throw error;
	};
}

/** Whether an error means that a row with the same primary key, or another unique one, exists in the table. */
export function isUniqueViolation(error: unknown, table: string) {
	if (!(error instanceof Error)) return false;
	if ('table' in error && 'code' in error) return error.code === '23505' && error.table === table;
	return error.message.startsWith(`UNIQUE constraint failed: ${table}.`);
}
