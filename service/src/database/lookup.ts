// Finds a row by the hash of a credential, on every request.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Database } from './database.ts';
import { runPlain } from './plain.ts';

interface Lookup {
	name: string;
	/** A select that ends with the column of the hash, and selects it as `hash`. */
	text: string;
}

/** Returns a function that finds the row of a hash. */
export function createLookup<Row extends { hash: string }>(database: Database, lookup: Lookup) {
	return database.pool ? findTogether<Row>(database, lookup) : findOne<Row>(database, lookup);
}

function findOne<Row>(database: Database, { name, text }: Lookup) {
	return async (hash: string) => {
		const query = { name, text: `${text} = ?`, values: [hash] };
		return (await runPlain<Row>(database, query))[0];
	};
}

// A connection that no longer responds must not hold up the lookups of the others.
const longestWait = 25;

/**
 * Looks up the hashes of all waiting requests in one query, which starts after they arrived. It waits
 * for the query before, because many small queries cost more than a few larger ones.
 */
function findTogether<Row extends { hash: string }>(database: Database, { name, text }: Lookup) {
	let next: { hashes: Set<string>; found: Promise<Map<string, Row>> } | undefined;
	let before: Promise<unknown> = Promise.resolve();
	const open = () => {
		const hashes = new Set<string>();
		const find = async () => {
			next = undefined;
			const query = { name, text: `${text} = any(?)`, values: [[...hashes]] };
			const rows = await runPlain<Row>(database, query);
			return new Map(rows.map((row) => [row.hash, row]));
		};
		const found = Promise.race([before, wait(longestWait)])
			.then(() => nextTurn())
			.then(find);
		before = found.catch(() => {});
		return { hashes, found };
	};
	return async (hash: string) => {
		next ??= open();
		next.hashes.add(hash);
		return (await next.found).get(hash);
	};
}
