import { hashPassword as hashWithScrypt } from '@better-auth/utils/password';
import { expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import {
	createHashingQueue,
	hashPassword,
	verifyPassword,
} from '../../src/accounts/password-hash.ts';
import { createAccount } from '../../src/accounts/store.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLimits } from '../../src/http/limits.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

const password = 'correct horse';

test('a password is hashed with at least what OWASP recommends for argon2id', async () => {
	const [, algorithm, , parameters = ''] = (await hashPassword(password)).split('$');
	const [memory = 0, passes = 0] = (parameters.match(/\d+/g) ?? []).map(Number);
	expect(algorithm).toBe('argon2id');
	expect(memory).toBeGreaterThanOrEqual(19 * 1024);
	expect(passes).toBeGreaterThanOrEqual(2);
});

test('a password matches in every Unicode form, and another one does not', async () => {
	const hash = await hashPassword('caf\u00e9 au lait');
	expect(await verifyPassword({ hash, password: 'cafe\u0301 au lait' })).toBe(true);
	expect(await verifyPassword({ hash, password: 'cafe au lait' })).toBe(false);
});

test.each(databaseKinds)(
	'a login rehashes a password from an earlier version, on %s',
	async (kind) => {
		const database = await readyDatabase(kind);
		const settings = settingsFrom({});
		const { logIn } = createAccounts({
			database,
			settings,
			limits: createLimits(database, settings),
		});
		const email = 'ann@example.com';
		const { id } = await createAccount(database.query, { email, password });
		await database.query
			.updateTable('credentials')
			.set({ password_hash: await hashWithScrypt(password) })
			.execute();
		const stored = async () =>
			(
				await database.query
					.selectFrom('credentials')
					.select('password_hash')
					.where('account_id', '=', id)
					.executeTakeFirstOrThrow()
			).password_hash;
		const visitor = { address: '192.0.2.1', headers: new Headers() };
		await expect(logIn(visitor, { email, password: 'wrong one' })).rejects.toThrow();
		expect(await stored()).not.toContain('argon2id');
		await logIn(visitor, { email, password });
		const renewed = await stored();
		expect(renewed).toContain('$argon2id$');
		await logIn(visitor, { email, password });
		expect(await stored()).toBe(renewed);
		await database.close();
	},
);

test('password hashing waits in a short queue, and the rest is rejected at once', async () => {
	const hashing = createHashingQueue(2);
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	let running = 0;
	const work = () => {
		running += 1;
		return held;
	};
	const attempts = [];
	for (let count = 0; count < 400; count += 1) {
		attempts.push((async () => hashing(work))().catch(({ code, details }) => ({ code, details })));
		await Promise.resolve();
	}
	expect(running).toBe(2);
	release();
	const refused = (await Promise.all(attempts)).filter(Boolean);
	expect(refused).toHaveLength(400 - 22);
	expect(refused[0]).toEqual({ code: 'unavailable', details: { headers: { 'retry-after': '1' } } });
	expect(await hashing(async () => 'next')).toBe('next');
});
