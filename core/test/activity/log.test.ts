// The activity log as the databases keep it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asActor } from '../../src/activity/actor.ts';
import { record, recordRepeat } from '../../src/activity/record.ts';
import { deleteOldActivity, listActivity } from '../../src/activity/store.ts';
import type { Database } from '../../src/database/database.ts';
import { databaseKinds, newAccount, readyDatabase } from '../support/databases.ts';

describe.each(databaseKinds)('the log on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());

	test('a change that is rolled back leaves no entry', async () => {
		const attempt = database.query.transaction().execute(async (transaction) => {
			await record(transaction, { kind: 'key.created', accountId: 'acc_rolled_back' });
			throw new Error('rolled back');
		});
		await expect(attempt).rejects.toThrow('rolled back');
		const filter = { accountId: 'acc_rolled_back' };
		expect((await listActivity(database.query, filter, { limit: 1 })).data).toEqual([]);
	});

	test('a flood from many addresses is counted in sixteen entries at most', async () => {
		for (let number = 0; number < 200; number += 1) {
			const address = `203.0.113.${number}`;
			await asActor({ via: 'visitor', address }, () =>
				recordRepeat(database.query, { kind: 'session.refused', accountId: 'acc_flooded' }),
			);
		}
		const filter = { accountId: 'acc_flooded' };
		const { data } = await listActivity(database.query, filter, { limit: 100 });
		// Twice as many if the hour changed meanwhile.
		expect(data.length).toBeLessThanOrEqual(32);
		expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(200);
	});

	test('pages of an account have no gap', async () => {
		const { id } = await newAccount(database);
		for (let number = 0; number < 7; number += 1) {
			const details = { number };
			const about = number % 2 === 0 ? id : 'acc_other';
			await asActor({ via: 'session', accountId: number % 3 === 0 ? id : 'acc_third' }, () =>
				record(database.query, { kind: 'credits.granted', accountId: about, details }),
			);
		}
		const filter = { accountId: id, kind: 'credits.granted' as const };
		const paged: unknown[] = [];
		let cursor: string | null = null;
		do {
			const page: Awaited<ReturnType<typeof listActivity>> = await listActivity(
				database.query,
				filter,
				{ limit: 2, cursor },
			);
			paged.push(...page.data.map(({ details }) => details.number));
			cursor = page.next_cursor;
		} while (cursor);
		expect(paged).toEqual([6, 4, 3, 2, 0]);
	});

	test('a key in a label is not stored', async () => {
		const key = `key_${'5e'.repeat(24)}`;
		await record(database.query, {
			kind: 'key.created',
			accountId: 'acc_paste',
			details: { label: key },
		});
		const { data } = await listActivity(database.query, { accountId: 'acc_paste' }, { limit: 1 });
		expect(data[0]?.details).toEqual({ label: 'key_[redacted]' });
	});

	test('old entries are deleted, however many there are, and newer ones are kept', async () => {
		await record(database.query, { kind: 'key.created', accountId: 'acc_aging' });
		await record(database.query, { kind: 'key.revoked', accountId: 'acc_aging' });
		const [template] = await database.query
			.selectFrom('activity')
			.selectAll()
			.where('account_id', '=', 'acc_aging')
			.where('kind', '=', 'key.created')
			.execute();
		if (!template) throw new Error('There is no entry');
		await database.query.deleteFrom('activity').where('id', '=', template.id).execute();
		const old = new Date(Date.now() - 11 * 24 * 60 * 60 * 1000).toISOString();
		const rows = Array.from({ length: 1100 }, (_, number) => ({
			...template,
			id: `evt_old_${number}`,
			created_at: old,
		}));
		for (let start = 0; start < rows.length; start += 100) {
			await database.query
				.insertInto('activity')
				.values(rows.slice(start, start + 100))
				.execute();
		}
		await deleteOldActivity(database.query, 10);
		const { data } = await listActivity(database.query, { accountId: 'acc_aging' }, { limit: 5 });
		expect(data.map(({ kind }) => kind)).toEqual(['key.revoked']);
	});
});
