// Statements whose plans PostgreSQL keeps.
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { findKeyOwner } from '../../src/keys/lookup.ts';
import { readyDatabase } from '../support/databases.ts';

async function openDatabase() {
	const database = await readyDatabase('PostgreSQL');
	onTestFinished(() => database.close());
	return database;
}

const plans = sql<{ statement: string; generic: number; custom: number }>`select statement,
	generic_plans::integer as generic, custom_plans::integer as custom from pg_prepared_statements`;

test('a statement that is used often is planned a few times only', async () => {
	const { query } = await openDatabase();
	await query.connection().execute(async (db) => {
		const count = db.selectFrom('boards').selectAll().where('name', '=', 'unusual').limit(3);
		for (let time = 0; time < 20; time += 1) await count.execute();
		const { rows } = await plans.execute(db);
		const plan = rows.find(({ statement }) => statement === count.compile().sql);
		expect(plan?.custom).toBeLessThan(10);
		expect(plan?.generic).toBeGreaterThan(5);
	});
});

test('the lookup of a key is planned once for every number of keys', async () => {
	const database = await openDatabase();
	// With a few rows, every plan costs the same.
	await sql`insert into accounts (id, email, role, created_at)
		select 'acc_' || i, 'user' || i || '@example.com', 'user', '' from generate_series(1, 3000) as i`.execute(
		database.query,
	);
	await sql`insert into api_keys (id, account_id, hash, hint, created_at)
		select 'key_' || i, 'acc_' || i, md5(i::text), '', '' from generate_series(1, 3000) as i`.execute(
		database.query,
	);
	await sql`analyze`.execute(database.query);
	const find = (key: string) => findKeyOwner(database, key);
	for (let time = 0; time < 60; time += 1) {
		await Promise.all(Array.from({ length: 1 + (time % 3) }, (_, index) => find(`key_${index}`)));
	}
	await database.query.connection().execute(async (db) => {
		const { rows } = await plans.execute(db);
		const plan = rows.find(({ statement }) => statement.includes('from api_keys inner join'));
		expect(plan?.generic).toBeGreaterThan(plan?.custom ?? 0);
	});
});

test('a statement of the pool is planned anew after a migration has changed its columns', async () => {
	const { pool } = await openDatabase();
	const select = () => pool?.query('select * from boards where name = $1', ['unusual']);
	// Two connections keep the plan.
	for (let time = 0; time < 6; time += 1) await Promise.all([select(), select()]);
	await pool?.query('alter table boards add column later text');
	await expect(select()).rejects.toThrow('cached plan');
	await expect(select()).resolves.toMatchObject({ rows: [] });
});
