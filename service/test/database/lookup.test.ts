// Looking up the credentials of requests that arrive together, on PostgreSQL.
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { createLookup } from '../../src/database/lookup.ts';

interface Query {
	hashes: string[];
	respond: () => void;
}

/** A lookup on a database whose queries wait until the test responds. */
function openLookup() {
	const queries: Query[] = [];
	const pool = {
		query: ({ values: [hashes] }: { values: [string[]] }) =>
			new Promise((resolve) => {
				const rows = hashes.map((hash) => ({ hash }));
				queries.push({ hashes, respond: () => resolve({ rows }) });
			}),
	};
	// A lookup uses nothing else of a database.
	const database = { pool } as unknown as Database;
	return { find: createLookup(database, { name: 'test', text: '' }), queries };
}

/** Long enough for a query to begin, and short against the time that others wait for it. */
async function moment() {
	for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

// A machine that pauses this process for longer than lookups wait for each other lets another query begin.
test('requests that arrive during a query share the next one', { retry: 3 }, async () => {
	const { find, queries } = openLookup();
	const first = find('a');
	await moment();
	const others = ['b', 'c', 'b'].map(find);
	await moment();
	expect(queries.map(({ hashes }) => hashes)).toEqual([['a']]);
	queries[0]?.respond();
	expect(await first).toEqual({ hash: 'a' });
	await moment();
	expect(queries.map(({ hashes }) => hashes)).toEqual([['a'], ['b', 'c']]);
	queries[1]?.respond();
	expect(await Promise.all(others)).toEqual([{ hash: 'b' }, { hash: 'c' }, { hash: 'b' }]);
});

test('a query that gets no response does not hold up later requests', async () => {
	const { find, queries } = openLookup();
	find('a');
	await moment();
	const later = find('b');
	await wait(100);
	queries[1]?.respond();
	expect(await later).toEqual({ hash: 'b' });
});
