// Connections to PostgreSQL: errors say whether a commit may have happened, and frequent statements are prepared.
import { PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';

type Driver = ReturnType<PostgresDialect['createDriver']>;
type Connection = Parameters<Driver['commitTransaction']>[0];

export class CommitCheckingDialect extends PostgresDialect {
	override createDriver() {
		const driver = super.createDriver();
		const commit = driver.commitTransaction.bind(driver);
		const rollback = driver.rollbackTransaction.bind(driver);
		return Object.assign(driver, {
			commitTransaction: (connection: Connection) => commit(connection).catch(explainCommit),
			// The error of a failed rollback would hide the first one.
			rollbackTransaction: (connection: Connection) => rollback(connection).catch(() => {}),
		});
	}
}

const endsConnection = /^(08|25P03|57P|58|XX)/;

/** Only an error of the database itself shows that nothing was committed. */
function explainCommit(cause: unknown): never {
	const code = cause instanceof Error && 'severity' in cause && 'code' in cause && cause.code;
	if (typeof code === 'string' && !endsConnection.test(code)) throw cause;
	throw new Error('The commit has no response, so it may have happened.', { cause });
}

/** How often a statement is sent before it is prepared, and how many are: a third less CPU of PostgreSQL. */
const usesBeforeName = 5;
const maxNamed = 256;
const maxNamedText = 8_000;

const uses = new Map<string, number>();
const named = new Map<string, string>();
let names = 0;

function nameOf(text: string) {
	const name = named.get(text);
	if (name || named.size === maxNamed || text.length > maxNamedText) return name;
	const used = (uses.get(text) ?? 0) + 1;
	if (used === usesBeforeName) giveName(text);
	// Forgets statements that are rarely repeated.
	if (uses.size === 10 * maxNamed) uses.clear();
	uses.set(text, used);
	return undefined;
}

function giveName(text: string) {
	names += 1;
	named.set(text, `statement ${names}`);
}

/** Prepares statements that are sent often, by giving them a name. */
export function useNames(client: PoolClient) {
	const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
	const send = (text: unknown, values: unknown, ...rest: unknown[]) => {
		const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0;
		const name = isPlain ? nameOf(text) : undefined;
		if (!isPlain || !name) return query(text, values, ...rest);
		// The pool passes a callback; others expect a promise.
		const [done] = rest;
		if (typeof done === 'function') {
			return query({ name, text, values }, (error: unknown, result: unknown) => {
				planAgain(text, error);
				done(error, result);
			});
		}
		const sent = query({ name, text, values }) as Promise<unknown>;
		return sent.catch((error) => {
			planAgain(text, error);
			throw error;
		});
	};
	Object.assign(client, { query: send });
}

/** With 0A000, a migration has changed the columns of a prepared statement, which needs another name then. */
function planAgain(text: string, error: unknown) {
	if (error instanceof Error && 'code' in error && error.code === '0A000') giveName(text);
}
