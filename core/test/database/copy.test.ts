// @module-tag long
// A database is copied into one of the other kind, or of the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { copyDatabase } from '../../src/database/copy/copy.ts';
import { readTables } from '../../src/database/copy/tables.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { claimFile } from '../../src/database/sqlite/sqlite.ts';
import { type DatabaseKind, databaseWith, emptyDatabase } from '../support/databases.ts';
import { contentOf, fillTables, tablesOf } from '../support/full-database.ts';

/** More than two batches, with keys of one column, of two, and of three. */
const more = { accounts: 1_050, leases: 1_050, known_devices: 1_050, console_chunks: 1_050 };

async function fullDatabase(kind: DatabaseKind, count: number) {
	const location = await databaseWith(kind);
	const { query, close } = await openDatabase(location);
	await fillTables(query, count, count > 1 ? more : {});
	await close();
	return location;
}

async function readAll(location: string) {
	const { query, close } = await openDatabase(location);
	return contentOf(query).finally(close);
}

const child = fileURLToPath(new URL('../support/copy-child.ts', import.meta.url));

/** Copies until the number of batches, and returns how the process ended. */
async function copyUntil(from: string, to: string, batches: number) {
	const words = [child, from, to, String(batches)];
	const copying = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
	const [code, signal] = await once(copying, 'exit');
	return signal ?? code;
}

const kinds: [DatabaseKind, DatabaseKind][] = [
	['SQLite', 'PostgreSQL'],
	['PostgreSQL', 'SQLite'],
	['SQLite', 'SQLite'],
];

// Each batch waits for the disk.
describe.each(kinds)('from %s to %s', { timeout: 180_000 }, (one, other) => {
	test('every row of every table is copied, and both have the same checksums', async () => {
		const [from, to] = [await fullDatabase(one, 20), await emptyDatabase(other)];
		const before = await readAll(from);
		const copied = await copyDatabase({ from, to });
		expect(await readAll(to)).toEqual(before);
		expect(await readAll(from)).toEqual(before);
		const counts = copied.map(({ table, rows }) => [table, rows]).sort();
		const rows = Object.entries(before).map(([table, { count }]) => [table, count]);
		expect(counts).toEqual(rows.sort());
		expect(rows.filter(([, count]) => count === 0)).toEqual([]);
	});

	test.skipIf(one === other)(
		'a copy that is killed again and again ends with the same rows',
		async () => {
			const [from, to] = [await fullDatabase(one, 20), await emptyDatabase(other)];
			// Of more than forty batches, so that the copies end at other places each time.
			const places = Array.from({ length: 2 }, () => 1 + Math.floor(Math.random() * 12));
			for (const place of places) {
				const ending = await copyUntil(from, to, place);
				expect([place, ending]).toEqual([place, 'SIGKILL']);
				const { query, close } = await openDatabase(to);
				await expect(migrate(query)).rejects.toThrow(/not complete. Repeat/);
				await close();
			}
			expect(await copyUntil(from, to, 0)).toBe(0);
			expect(await readAll(to)).toEqual(await readAll(from));
		},
	);
});

test('an interrupted copy continues after its last batch', async () => {
	const [from, to] = [await fullDatabase('SQLite', 20), await emptyDatabase('SQLite')];
	const interrupt = (table: string, rows: number) => {
		if (table === 'leases' && rows === 1_000) throw new Error('interrupted');
	};
	await expect(copyDatabase({ from, to }, interrupt)).rejects.toThrow('interrupted');
	const reports: [string, number][] = [];
	await copyDatabase({ from, to }, (...report) => reports.push(report));
	expect(reports[0]).toEqual(['leases', 50]);
	expect(await readAll(to)).toEqual(await readAll(from));
});

test('both databases have the tables that are copied, with columns of known types', async () => {
	const copied = (await readTables()).map(({ name }) => name).sort();
	for (const kind of ['SQLite', 'PostgreSQL'] as const) {
		const { query, close } = await openDatabase(await databaseWith(kind));
		const tables = await tablesOf(query);
		await close();
		expect(tables.map(({ name }) => name).sort()).toEqual(copied);
		const types = new Set(tables.flatMap(({ columns }) => columns.map((each) => each.dataType)));
		const known = /^(text|integer|bigint|blob|int4|int8|bytea)$/i;
		expect([...types].filter((type) => !known.test(type))).toEqual([]);
	}
	for (const { name, key } of await readTables()) expect([name, key.length]).not.toEqual([name, 0]);
});

describe('a copy is rejected', () => {
	test('into a database that has rows', async () => {
		const [from, to] = [await fullDatabase('SQLite', 1), await fullDatabase('SQLite', 1)];
		await expect(copyDatabase({ from, to })).rejects.toThrow(/not empty: it has rows in accounts/);
	});

	test('while a service uses one of the files', async () => {
		const [from, to] = [await databaseWith('SQLite'), await emptyDatabase('SQLite')];
		for (const location of [from, to]) {
			const release = claimFile(location);
			await expect(copyDatabase({ from, to })).rejects.toThrow(/Another service uses/);
			release();
		}
		await copyDatabase({ from, to });
	});

	test('while a replica on PostgreSQL stores the time', async () => {
		const [from, to] = [await databaseWith('PostgreSQL'), await emptyDatabase('SQLite')];
		const { clock, close } = await openDatabase(from);
		await clock.synchronize();
		const ticking = setInterval(() => clock.synchronize(), 1_000);
		await expect(copyDatabase({ from, to })).rejects.toThrow(/A service uses one of the/);
		clearInterval(ticking);
		await close();
	});

	test('to continue after the source was used', async () => {
		const from = await fullDatabase('SQLite', 20);
		const to = await emptyDatabase('SQLite');
		await copyUntil(from, to, 2);
		const { query, close } = await openDatabase(from);
		await sql`update service_time set changes = changes + 1`.execute(query);
		await expect(copyDatabase({ from, to })).rejects.toThrow(/an interrupted copy of another/);
		await close();
	});

	test('when the source changed while it was copied', async () => {
		const [from, to] = [await fullDatabase('SQLite', 20), await emptyDatabase('SQLite')];
		const { query, close } = await openDatabase(from);
		let isChanged = false;
		const report = (table: string) => {
			if (table !== 'leases' || isChanged) return;
			isChanged = true;
			void query.updateTable('accounts').set({ balance: 7 }).execute();
		};
		await expect(copyDatabase({ from, to }, report)).rejects.toThrow(/differs .* in accounts/);
		await close();
	});
});
