import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { once } from '../src/claims.ts';
import type { Database } from '../src/database/database.ts';
import { databaseKinds, newAccount, readyDatabase } from './support/databases.ts';

describe.each(databaseKinds)('an Idempotency-Key on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());

	const claimOf = (account_id: string, request_hash: string) => ({
		account_id,
		idempotency_key: 'nightly',
		request_hash,
	});

	const creation = (accountId: string, id: string, digest = 'same') =>
		once({ database }, claimOf(accountId, digest), {
			create: async () => ({ id }),
			replay: async (_db, known) => ({ id: known }),
		});

	test('belongs to its account: another one with the same key has its own resource', async () => {
		const [ann, bob] = [await newAccount(database), await newAccount(database)];
		await creation(ann.id, 'of-ann');
		await creation(bob.id, 'of-bob');
		expect(await creation(ann.id, 'new')).toEqual({ result: { id: 'of-ann' }, replayed: true });
		expect(await creation(bob.id, 'new')).toEqual({ result: { id: 'of-bob' }, replayed: true });
	});

	test('names what replaces its resource, for its account only', async () => {
		const [ann, bob] = [await newAccount(database), await newAccount(database)];
		await creation(ann.id, 'of-ann');
		await creation(bob.id, 'of-bob');
		await once({ database }, claimOf(ann.id, 'same'), {
			create: async () => ({ id: 'new' }),
			replay: async () => ({ id: 'next-of-ann' }),
		});
		expect((await creation(ann.id, 'new')).result.id).toBe('next-of-ann');
		expect((await creation(bob.id, 'new')).result.id).toBe('of-bob');
	});

	test('of a different request is rejected', async () => {
		const { id } = await newAccount(database);
		await creation(id, 'first');
		await expect(creation(id, 'second', 'other')).rejects.toMatchObject({
			code: 'idempotency_mismatch',
		});
	});

	test('is deleted after a day, and not a minute earlier', async () => {
		const { id } = await newAccount(database);
		await creation(id, 'first');
		const age = (minutes: number) =>
			database.query
				.updateTable('idempotency')
				.set({ created_at: new Date(Date.now() - minutes * 60_000).toISOString() })
				.where('account_id', '=', id)
				.execute();
		await age(24 * 60 - 1);
		expect((await creation(id, 'second')).result.id).toBe('first');
		await age(24 * 60 + 1);
		expect((await creation(id, 'third')).result.id).toBe('third');
	});
});
