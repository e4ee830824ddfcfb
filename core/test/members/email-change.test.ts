// A new email address for an account.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../src/accounts/store.ts';
import type { Database } from '../../src/database/database.ts';
import { changeEmail, confirmEmailChange } from '../../src/members/email.ts';
import { addressOfLink, createLink, findLink } from '../../src/members/links.ts';
import { databaseKinds, newAccount, readyDatabase } from '../support/databases.ts';
import { coreOn } from '../support/visitor.ts';

describe.each(databaseKinds)('a new email address on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());

	test('replaces the former one, verified, and ends links to both', async () => {
		const account = await newAccount(database);
		const next = 'next@example.com';
		const links = [
			await createLink(database.query, { kind: 'reset', email: account.email }),
			await createLink(database.query, { kind: 'invite', email: next }),
		];
		const token = await createLink(database.query, {
			kind: 'email',
			email: account.email,
			new_email: next,
		});
		expect(await addressOfLink(coreOn(database), account, { kind: 'email', token })).toBe(next);
		await confirmEmailChange(coreOn(database), account, token);
		expect(await findAccount(database.query, account.email)).toBeUndefined();
		const changed = await findAccount(database.query, next);
		expect(changed).toMatchObject({ id: account.id, verified_at: expect.any(String) });
		for (const link of [...links, token]) {
			await expect(findLink(coreOn(database), link)).rejects.toMatchObject({ code: 'not_found' });
		}
	});

	test('does nothing in another account', async () => {
		const [account, other] = [await newAccount(database), await newAccount(database)];
		const change = { email: account.email, new_email: 'typo@example.com' };
		const token = await createLink(database.query, { kind: 'email', ...change });
		const found = addressOfLink(coreOn(database), other, { kind: 'email', token });
		await expect(found).rejects.toMatchObject({ code: 'not_found' });
	});

	test('goes to one of two accounts that want it at the same time', async () => {
		const accounts = [await newAccount(database), await newAccount(database)];
		const next = 'wanted@example.com';
		const changes = accounts.map((account) => changeEmail(coreOn(database), account, { next }));
		const results = await Promise.allSettled(changes);
		expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		const rejected = results.find((result) => result.status === 'rejected');
		expect(rejected?.reason).toMatchObject({ code: 'invalid_request' });
	});
});
