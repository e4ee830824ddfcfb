// Transactions of PostgreSQL that wait for each other.

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { disableAccount } from '../../src/members/stop.ts';
import { newAccount, readyDatabase } from '../support/databases.ts';
import { coreOn } from '../support/visitor.ts';

test('a change that is rolled back so that another one goes on is carried out again', async () => {
	const database = await readyDatabase('PostgreSQL');
	const { query } = database;
	const admin = await newAccount(database, 'admin');
	const user = await newAccount(database);
	const isBlocked = sql`select 1 from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`;
	let disabling: Promise<unknown> | undefined;
	const lock = (db: typeof query, id: string) =>
		db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
	await query.transaction().execute(async (db) => {
		await lock(db, user.id);
		// It locks the administrators first.
		disabling = disableAccount(coreOn(database), user.id);
		await expect.poll(async () => (await isBlocked.execute(query)).rows).toHaveLength(1);
		await lock(db, admin.id);
	});
	await disabling;
	const account = query.selectFrom('accounts').select('disabled_at').where('id', '=', user.id);
	expect(await account.executeTakeFirst()).toEqual({ disabled_at: expect.any(String) });
	await database.close();
});
