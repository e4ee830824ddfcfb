// A database of the first release, with rows in every table, is opened by today's service.
import { BoardAccess } from 'board-access';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { isDatabaseAway, openDatabase } from '../../../core/src/database/database.ts';
import { migrate } from '../../../core/src/database/migrations.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { inTransaction } from '../../../core/src/database/transactions.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import {
	firstConsole,
	firstCredentials,
	firstDatabase,
	firstRows,
	firstTables,
	insertRows,
	readRows,
	renewalKey,
} from '../../../core/test/support/first-schema.ts';
import { openLab } from '../support/leasing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { openPage, origin, sendForm } from '../web/support/lab.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function allRows(query: Db) {
	const rows: Record<string, object[]> = {};
	for (const table of await firstTables(query)) rows[table] = await readRows(query, table);
	return rows;
}

/** What accounts with credits have, and the sum of their ledgers. */
async function creditsOf(query: Db) {
	const accounts = await query
		.selectFrom('accounts')
		.innerJoin('credit_entries', 'account_id', 'accounts.id')
		.select(['balance', 'held_credits as held'])
		.select(({ fn }) => fn.sum<number>('amount').as('ledger'))
		.groupBy('accounts.id')
		.orderBy('balance', 'desc')
		.execute();
	return accounts.map((account) => ({ ...account, ledger: Number(account.ledger) }));
}

const holderBefore = { balance: 100, ledger: 100, held: 20 };
const waiterBefore = { balance: 50, ledger: 50, held: 20 };

describe.each(databaseKinds)('an upgrade on %s', (kind) => {
	test('keeps every row of every table', async () => {
		const { query, close } = await openDatabase(await firstDatabase(kind, firstRows().rows));
		const before = await allRows(query);
		expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual([]);
		expect((await migrate(query)).length).toBeGreaterThan(0);
		expect(await allRows(query)).toMatchObject(before);
		await close();
	});

	/** A service on an upgraded database, with the credentials of before. */
	async function upgraded() {
		const { rows, ...ids } = firstRows();
		const lab = await openLab(kind, { database: await firstDatabase(kind, rows) });
		cleanups.push(() => lab.close());
		const fetch: typeof globalThis.fetch = async (input, init) =>
			lab.app.fetch(new Request(input, init), {});
		const { key, waiterKey, agentToken } = firstCredentials();
		const client = (apiKey: string) => new BoardAccess({ baseUrl: origin, apiKey, fetch });
		const connect = async () => {
			const driven = { [ids.board]: ['flash', 'reset'] };
			const known = { [ids.board]: { fence: 7 } };
			const options = { driven, known, bootId: 'first-1', obliging: true };
			const agent = await connectAgent(sendAs(origin, agentToken, fetch), options);
			cleanups.push(() => agent.cut());
			return agent;
		};
		return { ...lab, ...ids, fetch, connect, holder: client(key), waiter: client(waiterKey) };
	}

	test('lets a live lease go on, charges it, and grants its board to the queued one', async () => {
		const { query, connect, requests, holder, waiter, live, queued, board } = await upgraded();
		const agent = await connect();
		const lease = await holder.leases.get(live);
		expect(lease).toMatchObject({ status: 'active', boardId: board, label: 'live' });
		expect(agent.lease(board)?.id).toBe(live);
		const output = { fence: 7, offset: firstConsole.length, data: 'printed after it\r\n' };
		expect((await agent.write(live, output)).status).toBe(200);
		const lines = lease.console.lines();
		expect((await lines.next()).value).toMatchObject({ text: firstConsole.trim(), offset: 0 });
		expect((await lines.next()).value).toMatchObject({ text: 'printed after it' });
		await lines.return();
		await lease.console.write('on');
		await expect.poll(() => agent.input.get(live)).toContain('on');

		expect(await creditsOf(query)).toEqual([holderBefore, waiterBefore]);
		const { send } = requests(firstCredentials().key);
		const headers = { 'idempotency-key': renewalKey };
		const repeated = await send('POST', `/leases/${live}/renew`, {
			body: { minutes: 10 },
			headers,
		});
		expect(repeated).toMatchObject({ status: 200, body: { expires_at: lease.expiresAt } });
		await lease.renew({ durationMs: 20 * 60_000 });
		expect(await creditsOf(query)).toEqual([{ ...holderBefore, held: 46 }, waiterBefore]);
		expect(await waiter.leases.get(queued)).toMatchObject({ status: 'queued', queuePosition: 1 });
		expect(await lease.release()).toMatchObject({ endReason: 'released', credits: 6 });
		const granted = async () => (await waiter.leases.get(queued)).status;
		await expect.poll(granted, { timeout: 20_000 }).toBe('active');
		expect(await creditsOf(query)).toEqual([{ balance: 94, ledger: 94, held: 0 }, waiterBefore]);
	});

	test('gives every live lease its place in the order, whatever its status', async () => {
		const { query } = await upgraded();
		const leases = await query
			.selectFrom('leases')
			.select(['created_at', 'rank'])
			.where('status', '<>', 'ended')
			.execute();
		expect(leases.length).toBeGreaterThan(1);
		for (const { created_at, rank } of leases) {
			expect(rank).toBeGreaterThanOrEqual(Date.parse(created_at));
		}
	});

	test('leaves everything readable through the API', async () => {
		const { requests, live, past, board } = await upgraded();
		const { key } = firstCredentials();
		const records: [path: string, has: string][] = [
			['/account', '"balance":100'],
			['/auth/keys', 'laptop'],
			['/activity', 'key.created'],
			[`/boards/${board}`, live],
			['/leases', past],
			[`/leases/${past}`, '"credits":20'],
			[`/leases/${live}/actions`, 'The board was reset.'],
			[`/leases/${live}/shares`, 'waiter-1@example.com'],
		];
		const { send } = requests(key);
		for (const [path, has] of records) {
			const { status, body } = await send('GET', path);
			expect([path, status, JSON.stringify(body)]).toEqual([
				path,
				200,
				expect.stringContaining(has),
			]);
		}
	});

	test('leaves sessions logged in, and everything visible on the pages', async () => {
		const { fetch, live, past, board, image } = await upgraded();
		const { session, adminSession } = firstCredentials();
		const open = async (token: string, path: string, has: string) => {
			const page = await openPage({ fetch }, path, `board_access.session_token=${token}`);
			const text = await page.text();
			expect([path, page.status, text]).toEqual([path, 200, expect.stringContaining(has)]);
		};
		const ofHolder: [path: string, has: string][] = [
			['/account', 'holder-1@example.com'],
			['/account/activity', 'laptop'],
			['/boards', 'uno 1'],
			[`/boards/${board}`, 'Arduino Uno'],
			['/credits', '100'],
			['/keys', 'laptop'],
			['/leases', 'past'],
			[`/leases/${live}`, 'The board was reset.'],
			[`/leases/${live}/console.txt`, firstConsole.trim()],
			[`/leases/${past}`, 'The minutes of the lease are over.'],
		];
		const ofAdmin: [path: string, has: string][] = [
			['/account', 'admin-1@example.com'],
			['/admin/accounts', 'waiter-1@example.com'],
			['/admin/activity', 'key.created'],
			['/admin/agents', 'lab'],
			['/admin/base-images', 'Blink'],
			[`/admin/base-images/${image}`, 'blinks'],
			[`/admin/boards/${board}`, 'Arduino Uno'],
			['/admin/leases', 'holder-1@example.com'],
			['/admin/overview', 'uno 1'],
		];
		for (const [path, has] of ofHolder) await open(session, path, has);
		for (const [path, has] of ofAdmin) await open(adminSession, path, has);
		const login = { email: 'holder-1@example.com', password: 'a long sentence' };
		expect((await sendForm({ fetch }, '/login', login)).status).toBe(303);
	});
});

describe('a replica of before, while a newer one migrates on PostgreSQL', () => {
	async function openTwo() {
		const location = await firstDatabase('PostgreSQL', firstRows().rows);
		const [older, newer] = await Promise.all([openDatabase(location), openDatabase(location)]);
		cleanups.push(older.close, newer.close);
		return { older: older.query, newer: newer.patient };
	}

	/** A kept plan fails once after its table got a column. The sender of the request repeats it. */
	const repeating = <Result>(run: () => Promise<Result>) =>
		run().catch((error) => {
			if (!isDatabaseAway(error)) throw error;
			return run();
		});

	/** Inserts into every table, and reads and updates all rows, as often as statements get names. */
	async function useAll(query: Db, number: number) {
		for (const [table, rows] of Object.entries(firstRows(number).rows)) {
			await insertRows(query, table, rows);
			const [column = ''] = Object.keys(rows[0] ?? {});
			for (const row of await repeating(() => readRows(query, table))) {
				const value = row[column];
				const [ref, name] = [sql.ref(column), sql.table(table)];
				await sql`update ${name} set ${ref} = ${value} where ${ref} = ${value}`.execute(query);
				await repeating(() => sql`select * from ${name} where ${ref} = ${value}`.execute(query));
			}
		}
	}

	test('writes and reads every table, before, meanwhile and afterwards', {
		tags: 'long',
	}, async () => {
		const { older, newer } = await openTwo();
		for (const number of [2, 3]) await useAll(older, number);
		const migrated = migrate(newer);
		await useAll(older, 4);
		expect((await migrated).length).toBeGreaterThan(0);
		await useAll(older, 5);
	});

	test('has both go on, though each waits for the other', { tags: 'long' }, async () => {
		const { older, newer } = await openTwo();
		const isWaiting = sql<{ n: number }>`select count(*) as n from pg_locks
			where not granted and database = (select oid from pg_database where datname = current_database())`;
		const migrated = Promise.withResolvers<string[]>();
		let attempts = 0;
		await inTransaction(older, async (db) => {
			attempts += 1;
			await db.updateTable('accounts').set({ vouched: 1 }).execute();
			if (attempts === 1) migrate(newer).then(migrated.resolve, migrated.reject);
			const waiting = async () => (await isWaiting.execute(db)).rows[0]?.n ?? 0;
			if (attempts === 1) await expect.poll(waiting).toBeGreaterThan(0);
			await db.updateTable('leases').set({ label: 'changed' }).execute();
		});
		expect((await migrated.promise).length).toBeGreaterThan(0);
		const labels = await older.selectFrom('leases').select('label').distinct().execute();
		expect(labels).toEqual([{ label: 'changed' }]);
	});
});
