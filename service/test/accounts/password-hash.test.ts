import { expect, test } from 'vitest';
import { Accounts } from '../../src/accounts/accounts.ts';
import {
	createHashingQueue,
	hashPassword,
	verifyPassword,
} from '../../src/accounts/password-hash.ts';
import { createAccount } from '../../src/accounts/store.ts';
import { settingsFrom } from '../../src/env.ts';
import { createLimits } from '../../src/http/rate-limits.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

const password = 'correct horse';

/** The same as the first version has stored it. */
const scryptHash =
	'1864e76783b60fd16dc2556fab549f42:e4504386f252723385029fb78a748890fb8be0bed3e6e57117dbab07b7d55ef73f27339aa3b871e00c63351c8cce5842f199e4770f74f054ba4a3fb06f367d32';

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
		const accounts = new Accounts({
			database,
			settings,
			limits: createLimits(database, settings),
		});
		const email = 'ann@example.com';
		const { id } = await createAccount(database.query, { email, password });
		await database.query.updateTable('credentials').set({ password_hash: scryptHash }).execute();
		const stored = async () =>
			(
				await database.query
					.selectFrom('credentials')
					.select('password_hash')
					.where('account_id', '=', id)
					.executeTakeFirstOrThrow()
			).password_hash;
		const visitor = { address: '192.0.2.1', headers: new Headers() };
		await expect(accounts.logIn(visitor, { email, password: 'wrong one' })).rejects.toThrow();
		expect(await stored()).not.toContain('argon2id');
		await accounts.logIn(visitor, { email, password });
		const renewed = await stored();
		expect(renewed).toContain('$argon2id$');
		await accounts.logIn(visitor, { email, password });
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
