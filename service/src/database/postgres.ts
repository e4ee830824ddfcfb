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

/** A statement is planned anew this often, and this many keep their plans, as with other drivers. */
const usesBeforeName = 5;
const mostNamed = 256;
const longestNamed = 8_000;

const uses = new Map<string, number>();
const named = new Map<string, string>();
let names = 0;

/** Has PostgreSQL keep the plan of a statement, on each connection that sends it. */
function nameOf(text: string) {
	const name = named.get(text);
	if (name || named.size === mostNamed || text.length > longestNamed) return name;
	const used = (uses.get(text) ?? 0) + 1;
	if (used === usesBeforeName) giveName(text);
	// Texts that are hardly ever repeated are forgotten together.
	if (uses.size === 10 * mostNamed) uses.clear();
	uses.set(text, used);
	return undefined;
}

function giveName(text: string) {
	names += 1;
	named.set(text, `statement ${names}`);
}

/** Sends statements that are used often by a name. */
export function useNames(client: PoolClient) {
	const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
	const send = (text: unknown, values: unknown, ...rest: unknown[]) => {
		const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0;
		const name = isPlain ? nameOf(text) : undefined;
		if (!isPlain || !name) return query(text, values, ...rest);
		const sent = query({ name, text, values }, ...rest);
		return sent instanceof Promise ? sent.catch(planAgain(text)) : sent;
	};
	Object.assign(client, { query: send });
}

/** A plan whose columns a migration has changed is of no use any more under its name. */
function planAgain(text: string) {
	return (error: unknown) => {
		if (error instanceof Error && /cached plan must not change/.test(error.message)) giveName(text);
		throw error;
	};
}

/** Whether an error means that a row with the same primary key, or another unique one, exists in the table. */
export function isUniqueViolation(error: unknown, table: string) {
	if (!(error instanceof Error)) return false;
	if ('table' in error && 'code' in error) return error.code === '23505' && error.table === table;
	return error.message.startsWith(`UNIQUE constraint failed: ${table}.`);
}
