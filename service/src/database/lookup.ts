// Finds a row by the hash of a credential, on every request.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Database } from './database.ts';
import { runPlain } from './plain.ts';

interface Lookup {
	name: string;
	/** A select that ends with the column of the hash, and selects it as `hash`. */
	text: string;
}

interface Batch<Row> {
	hashes: Set<string>;
	found?: Promise<Map<string, Row>>;
}

// A connection that no longer responds must not hold up the lookups of the others.
const longestWait = 25;

/**
 * Returns a function that finds the row of a hash. Requests that arrive together share a query, which
 * starts after they arrived. On SQLite, the first one in a turn of the event loop reads at once. On
 * PostgreSQL, a query waits for the one before, because many small queries cost more than a few larger ones.
 */
export function createLookup<Row extends { hash: string }>(
	database: Database,
	{ name, text }: Lookup,
) {
	// Written once: a prepared statement is found by its text.
	const one = `${text} = ?`;
	const several = `${text} ${database.pool ? '= any(?)' : 'in (select value from json_each(?))'}`;

	let batch: Batch<Row> | undefined;
	let before: Promise<unknown> | undefined;
	/** Closing a batch early only costs another query. */
	const close = () => {
		batch = undefined;
	};

	const findAll = async (hashes: Set<string>) => {
		if (before) await Promise.race([before, wait(longestWait, undefined, { ref: false })]);
		await nextTurn();
		close();
		const list = database.pool ? [...hashes] : JSON.stringify([...hashes]);
		const rows = await runPlain<Row>(database, { name, text: several, values: [list] });
		return new Map(rows.map((row) => [row.hash, row]));
	};

	/** The next query waits until this one has settled. */
	const holdBack = (found: Promise<unknown>) => {
		const settled = found
			.catch(() => {})
			.then(() => {
				if (before === settled) before = undefined;
			});
		before = settled;
	};

	return async (hash: string): Promise<Row | undefined> => {
		if (!batch) {
			batch = { hashes: new Set() };
			if (!database.pool) {
				setImmediate(close);
				return (await runPlain<Row>(database, { text: one, values: [hash] }))[0];
			}
		}
		batch.hashes.add(hash);
		if (!batch.found) {
			batch.found = findAll(batch.hashes);
			if (database.pool) holdBack(batch.found);
		}
		return (await batch.found).get(hash);
	};
}
