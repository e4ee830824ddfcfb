import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/store.ts';
import { isPaidTier } from '../../src/credits/holds.ts';
import { addCredits, creditBalance, listCredits, sandbox, topUp } from '../../src/credits/store.ts';
import type { Database } from '../../src/database/database.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

describe.each(databaseKinds)('credits on %s', (kind) => {
	let database: Database;
	let accountId: string;
	beforeAll(async () => {
		database = await readyDatabase(kind);
		const credentials = { email: 'payer@example.com', password: 'a long password' };
		({ id: accountId } = await createAccount(database.query, credentials));
	});
	afterAll(() => database.close());

	test('an account starts on the free tier without credits', async () => {
		expect(await creditBalance(database.query, accountId)).toBe(0);
		expect(await isPaidTier(database.query, accountId)).toBe(false);
	});

	test('a top-up that is sent twice at once raises the balance once, and the tier', async () => {
		const payment = { accountId, credits: 25, idempotencyKey: 'first' };
		await Promise.all([topUp(database, sandbox, payment), topUp(database, sandbox, payment)]);
		expect(await creditBalance(database.query, accountId)).toBe(25);
		expect(await isPaidTier(database.query, accountId)).toBe(true);
	});

	test('the same payment is booked once', async () => {
		const entry = { account_id: accountId, amount: 5, reason: 'grant', reference: 'one' } as const;
		expect(await addCredits(database.query, entry)).toBe(true);
		expect(await addCredits(database.query, entry)).toBe(false);
		const other = addCredits(database.query, { ...entry, amount: 6 });
		await expect(other).rejects.toThrow('amount was already booked as 5');
		expect(await creditBalance(database.query, accountId)).toBe(30);
		expect(await listCredits(database.query, accountId)).toHaveLength(2);
	});

	test('entries of the same moment are listed by their identifiers, the latest moment first', async () => {
		const credentials = { email: 'orderly@example.com', password: 'a long password' };
		const { id } = await createAccount(database.query, credentials);
		const ids = ['crd_b', 'crd_d', 'crd_a', 'crd_c'].map((name) => name + kind);
		for (const [index, entry] of ids.entries()) {
			await database.query
				.insertInto('credit_entries')
				.values({
					id: entry,
					account_id: id,
					amount: 1,
					reason: 'grant',
					reference: entry,
					created_at: index === 0 ? '2026-01-02T00:00:00.000Z' : '2026-01-01T00:00:00.000Z',
				})
				.execute();
		}
		const listed = (await listCredits(database.query, id)).map((entry) => entry.id);
		expect(listed).toEqual(['crd_b', 'crd_d', 'crd_c', 'crd_a'].map((name) => name + kind));
	});

	test('a reference of another account is an error', async () => {
		const credentials = { email: 'other@example.com', password: 'a long password' };
		const { id } = await createAccount(database.query, credentials);
		const entry = { account_id: id, amount: 5, reason: 'grant', reference: 'one' } as const;
		await expect(addCredits(database.query, entry)).rejects.toThrow(
			'reference belongs to an entry',
		);
		expect(await creditBalance(database.query, id)).toBe(0);
	});
});
