// Looking up the credentials of requests that arrive together, on PostgreSQL.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { createLookup } from '../../src/database/lookup.ts';

const waits = vi.hoisted((): (() => void)[] => []);

// Lookups wait for each other until the test says that the time is over.
vi.mock('node:timers/promises', async (original) => ({
	...(await original<typeof import('node:timers/promises')>()),
	setTimeout: () => new Promise<void>((resolve) => waits.push(resolve)),
}));

afterEach(() => void waits.splice(0));

interface Query {
	hashes: string[];
	respond: () => void;
}

/** A lookup on a database whose queries wait until the test responds. */
function openLookup() {
	const queries: Query[] = [];
	const pool = {
		query: (_text: string, [padded]: [string[]]) =>
			new Promise((resolve) => {
				const hashes = [...new Set(padded)];
				const rows = hashes.map((hash) => ({ hash }));
				queries.push({ hashes, respond: () => resolve({ rows }) });
			}),
	};
	// A lookup uses nothing else of a database.
	const database = { pool } as unknown as Database;
	const find = createLookup('');
	return { find: (hash: string) => find(database, hash), queries };
}

/** Long enough for a query to begin. */
async function moment() {
	for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

test('requests that arrive during a query share the next one', async () => {
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
	await moment();
	expect(queries).toHaveLength(1);
	for (const end of waits) end();
	await moment();
	queries[1]?.respond();
	expect(await later).toEqual({ hash: 'b' });
});
