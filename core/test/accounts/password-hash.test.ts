import { expect, test } from 'vitest';
import {
	createHashingQueue,
	hashPassword,
	verifyPassword,
} from '../../src/accounts/password-hash.ts';

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
	const rejected = (await Promise.all(attempts)).filter(Boolean);
	expect(rejected).toHaveLength(400 - 22);
	expect(rejected[0]).toEqual({
		code: 'unavailable',
		details: { headers: { 'retry-after': '1' } },
	});
	expect(await hashing(async () => 'next')).toBe('next');
});
