// Finds a row by the hash of a credential, on every request. The SQL is text, because building it would
// cost more than running it.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { type Database, readRows } from './database.ts';

interface Batch<Row> {
	hashes: Set<string>;
	found?: Promise<Map<string, Row>>;
}

// A connection that no longer responds must not hold up the lookups of the others.
const maxWait = 25;

/** The lookup for each database that it is used with. */
export function createLookups<Row extends { hash: string }>(text: string) {
	const lookups = new WeakMap<Database, ReturnType<typeof createLookup<Row>>>();
	return (database: Database, hash: string) => {
		const find = lookups.get(database) ?? createLookup<Row>(database, text);
		lookups.set(database, find);
		return find(hash);
	};
}

/**
 * Requests that arrive together share a query, which starts after they arrived. On SQLite, the first one in a
 * turn of the event loop reads at once. On PostgreSQL, a query waits for the one before, because many small
 * queries cost more than a few larger ones. The text ends with the column of the hash, and selects it as `hash`.
 */
export function createLookup<Row extends { hash: string }>(database: Database, text: string) {
	const { pool } = database;
	const read = rowReader<Row>(database, text);
	let batch: Batch<Row> | undefined;
	let before: Promise<unknown> = Promise.resolve();
	/** Closing a batch early only costs another query. */
	const close = () => {
		batch = undefined;
	};

	const findAll = async (hashes: Set<string>) => {
		if (pool) await Promise.race([before, wait(maxWait, undefined, { ref: false })]);
		await nextTurn();
		close();
		return new Map((await read([...hashes])).map((row) => [row.hash, row]));
	};

	return async (hash: string): Promise<Row | undefined> => {
		if (!batch) {
			batch = { hashes: new Set() };
			if (!pool) {
				setImmediate(close);
				return (await read([hash]))[0];
			}
		}
		batch.hashes.add(hash);
		if (!batch.found) {
			batch.found = findAll(batch.hashes);
			before = batch.found.catch(() => {});
		}
		return (await batch.found).get(hash);
	};
}

function rowReader<Row>(database: Database, text: string) {
	const { pool } = database;
	// Written once: a prepared statement is found by its text.
	const one = `${text} = ?`;
	const several = `${text} ${pool ? '= any($1)' : 'in (select value from json_each(?))'}`;
	return async (hashes: string[]): Promise<Row[]> => {
		if (pool) {
			// PostgreSQL estimates the generic plan for ten values; for fewer, it would plan each time.
			const padded = [...hashes, ...Array(Math.max(0, 10 - hashes.length)).fill(hashes[0])];
			return (await pool.query(several, [padded])).rows;
		}
		const sql = hashes.length === 1 ? one : several;
		const values = [hashes.length === 1 ? hashes[0] : JSON.stringify(hashes)];
		return readRows(database, CompiledQuery.raw(sql, values));
	};
}
