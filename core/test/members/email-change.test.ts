// A new email address for an account.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../src/accounts/store.ts';
import type { Database } from '../../src/database/database.ts';
import { changeEmail } from '../../src/members/email.ts';
import { createLink, findLink, requireOwnLink } from '../../src/members/links.ts';
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
		await changeEmail(coreOn(database), account, { next, byAdministrator: true });
		expect(await findAccount(database.query, account.email)).toBeUndefined();
		const changed = await findAccount(database.query, next);
		expect(changed).toMatchObject({ id: account.id, verified_at: expect.any(String) });
		for (const link of links) {
			await expect(findLink(coreOn(database), link)).rejects.toMatchObject({ code: 'not_found' });
		}
	});

	test('a link that verifies the address works in its own account only', async () => {
		const [account, other] = [await newAccount(database), await newAccount(database)];
		const { email } = account;
		const token = await createLink(database.query, { kind: 'verify', email });
		await requireOwnLink(coreOn(database), account, token);
		const found = requireOwnLink(coreOn(database), other, token);
		await expect(found).rejects.toMatchObject({ code: 'not_found' });
	});

	test('goes to one of two accounts that want it at the same time', async () => {
		const accounts = [await newAccount(database), await newAccount(database)];
		const next = 'wanted@example.com';
		const change = { next, byAdministrator: true };
		const changes = accounts.map((account) => changeEmail(coreOn(database), account, change));
		const results = await Promise.allSettled(changes);
		expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		const rejected = results.find((result) => result.status === 'rejected');
		expect(rejected?.reason).toMatchObject({ code: 'invalid_request' });
	});
});
