// Finds a row by the hash of a credential, on every request. The SQL is text, because building it would
// cost more than running it.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import type { Database } from './database.ts';

type Lookup<Row> = (hash: string) => Promise<Row | undefined>;

/** How long a query waits for the one before it, whose connection may hang. */
const maxWait = 25;

/** Finds rows in any database. The text ends with the column of the hash, and selects it as `hash`. */
export function createLookup<Row extends { hash: string }>(text: string) {
	const batches = new WeakMap<Pool, Lookup<Row>>();
	return async ({ query, pool }: Pick<Database, 'query' | 'pool'>, hash: string) => {
		if (!pool) {
			const { rows } = await query.executeQuery(CompiledQuery.raw(`${text} = ?`, [hash]));
			return rows[0] as Row | undefined; // as the text selects it
		}
		const find = batches.get(pool) ?? inBatches<Row>(pool, `${text} = any($1)`);
		batches.set(pool, find);
		return find(hash);
	};
}

/**
 * Requests that arrive together, or while the previous query runs, share a query, which starts after they arrived. On
 * PostgreSQL, 32 connections get 4,800 lists of boards a second by this, and 2,100 with a query for each request.
 */
function inBatches<Row extends { hash: string }>(pool: Pool, text: string): Lookup<Row> {
	let batch: { hashes: Set<string>; found: Promise<Map<string, Row>> } | undefined;
	let before: Promise<unknown> = Promise.resolve();
	const findAll = async (hashes: Set<string>) => {
		await Promise.race([before, wait(maxWait, undefined, { ref: false })]);
		await nextTurn();
		batch = undefined;
		// PostgreSQL estimates the generic plan for ten values; for fewer, it would plan each time.
		const padded = [...hashes, ...Array(Math.max(0, 10 - hashes.size)).fill([...hashes][0])];
		const { rows } = await pool.query<Row>(text, [padded]);
		return new Map(rows.map((row) => [row.hash, row]));
	};
	return async (hash) => {
		if (!batch) {
			const hashes = new Set<string>();
			batch = { hashes, found: findAll(hashes) };
			before = batch.found.catch(() => {});
		}
		batch.hashes.add(hash);
		return (await batch.found).get(hash);
	};
}
