// Locks until the end of a transaction. Only PostgreSQL needs them: SQLite runs one writing transaction at a time.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { onPostgres } from './postgres.ts';
import type { Db, Schema } from './schema.ts';

/** The order in which every transaction locks, so that no two wait for each other. */
const order = [
	'base_images',
	'idempotency',
	'agents',
	'accounts',
	'leases',
	'queue',
	'boards',
	'api_keys',
] as const;

type Lockable = (typeof order)[number];

type LockableTable = Exclude<Lockable, 'queue'>;

const locked = new WeakMap<Db, Set<Lockable>>();

function keepOrder(db: Db, what: Lockable) {
	if (!db.isTransaction) return;
	const before = locked.get(db) ?? new Set();
	const later = order.slice(order.indexOf(what) + 1).find((one) => before.has(one));
	if (later && !before.has(what)) throw new Error(`${what} must be locked before ${later}`);
	locked.set(db, before.add(what));
}

/** For `$call`: locks the rows of the query. */
export const locking = (db: Db, table: LockableTable) => atEnd(lockClause(db, table));

/** For `$call`: skips rows that others have locked. It never waits, so it has no place in the order. */
export const lockingFree = (db: Db, table: LockableTable) => atEnd(lockFreeClause(db, table));

function atEnd(clause: RawBuilder<unknown>) {
	return <Tables extends keyof Schema, Row>(query: SelectQueryBuilder<Schema, Tables, Row>) =>
		query.modifyEnd(clause);
}

/** The same as SQL for the end of a query. */
export function lockClause(db: Db, table: LockableTable) {
	keepOrder(db, table);
	return onPostgres(db) ? sql`for no key update of ${sql.table(table)}` : sql``;
}

export function lockFreeClause(db: Db, table: LockableTable) {
	return onPostgres(db) ? sql`for no key update of ${sql.table(table)} skip locked` : sql``;
}

/** Lets one request at a time plan the queue of a board type. */
export async function lockQueue(db: Db, type: string) {
	keepOrder(db, 'queue');
	if (!onPostgres(db)) return;
	await sql`select pg_advisory_xact_lock(hashtextextended(${`queue ${type}`}, 0))`.execute(db);
}

/** Lets one transaction at a time write a table. */
export async function lockTable(db: Db, table: 'base_images') {
	keepOrder(db, table);
	if (!onPostgres(db)) return;
	await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db);
}
