import { expect, test } from 'vitest';
import { settingsFrom } from '../../../../core/src/env.ts';
import { createAttempts } from '../../../../core/src/members/attempts.ts';
import {
	databaseKinds,
	emptyDatabase,
	readyDatabase,
} from '../../../../core/test/support/databases.ts';
import { createLimits } from '../../../src/http/limits/rate-limits.ts';
import { createService } from '../../../src/service.ts';
import { createTestService } from '../../../src/testing.ts';
import { openPage, sendForm, sessionOf } from '../../web/support/lab.ts';

const ask = (fetch: typeof globalThis.fetch, headers: Record<string, string>) =>
	fetch('http://localhost/v1/boards', { headers }).then(({ status }) => status);
const wrong = { authorization: `Bearer key_${'0'.repeat(48)}` };

test('an address that sends many invalid keys is limited, and a valid key still works', async () => {
	const { fetch, demo, close } = await createService({ demo: true, rateLimitFailedCredentials: 3 });
	const statuses = [];
	for (let count = 0; count < 5; count += 1) statuses.push(await ask(fetch, wrong));
	expect(statuses).toEqual([401, 401, 401, 429, 429]);
	expect(await ask(fetch, { authorization: `Bearer ${demo?.apiKey}` })).toBe(200);
	await close();
});

test('behind a proxy the address is the last one that is forwarded', async () => {
	const options = { demo: true, rateLimitFailedCredentials: 1, trustProxy: true };
	const { fetch, close } = await createService(options);
	const from = (forwarded: string) => ask(fetch, { ...wrong, 'x-forwarded-for': forwarded });
	expect(await from('192.0.2.1')).toBe(401);
	expect(await from('203.0.113.9, 192.0.2.1')).toBe(429);
	expect(await from('192.0.2.1, 192.0.2.2')).toBe(401);
	await close();
});

test('networks of one IPv6 provider share a limit, however many there are', async () => {
	const options = { demo: true, rateLimitFailedCredentials: 1, trustProxy: true };
	const { fetch, close } = await createService(options);
	const from = (forwarded: string) => ask(fetch, { ...wrong, 'x-forwarded-for': forwarded });
	const within56 = [];
	for (let last = 1; last <= 5; last += 1) within56.push(await from(`2001:db8:1:a0${last}::1`));
	expect(within56).toEqual([401, 401, 401, 401, 429]);
	const within48 = [];
	for (let last = 1; last <= 13; last += 1) {
		within48.push(await from(`2001:db8:1:${(0x1000 + last * 256).toString(16)}::1`));
	}
	expect(within48).toEqual([...Array(12).fill(401), 429]);
	expect(await from('2001:db8:2::1')).toBe(401);
	await close();
});

test('a forwarded address is ignored without TRUST_PROXY', async () => {
	const { fetch, close } = await createService({ demo: true, rateLimitFailedCredentials: 1 });
	const from = (forwarded: string) => ask(fetch, { ...wrong, 'x-forwarded-for': forwarded });
	expect([await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([401, 429]);
	await close();
});

test('all keys of an account count together', async () => {
	const { fetch, demo, close } = await createService({ demo: true, rateLimitPerAccount: 3 });
	const first = { authorization: `Bearer ${demo?.apiKey}` };
	const made = await fetch('http://localhost/v1/auth/keys', { method: 'POST', headers: first });
	const second = { authorization: `Bearer ${(await made.json()).key}` };
	const statuses = [await ask(fetch, second), await ask(fetch, first), await ask(fetch, second)];
	expect(statuses).toEqual([200, 200, 429]);
	await close();
});

test('a key over its limit does not block the web pages, and pages over theirs still allow logout', async () => {
	const service = await createTestService({ rateLimitPerAccount: 3 });
	const { apiKey, email, password } = service.demo;
	const cookie = sessionOf(await sendForm(service, '/login', { email, password }));
	const key = { authorization: `Bearer ${apiKey}` };
	const statuses = [];
	for (let count = 0; count < 4; count += 1) statuses.push(await ask(service.fetch, key));
	for (let count = 0; count < 4; count += 1) {
		statuses.push((await openPage(service, '/keys', cookie)).status);
	}
	expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
	expect((await sendForm(service, '/logout', {}, cookie)).status).toBe(303);
	await service.close();
});

test('invalid keys from an address do not block logins from it', async () => {
	const service = await createTestService({ rateLimitFailedCredentials: 1 });
	const { email, password } = service.demo;
	expect([await ask(service.fetch, wrong), await ask(service.fetch, wrong)]).toEqual([401, 429]);
	expect((await sendForm(service, '/login', { email, password })).status).toBe(303);
	await service.close();
});

test.each(databaseKinds)(
	'of many concurrent requests, exactly as many pass as the limit allows, on %s',
	async (kind) => {
		const database = await emptyDatabase(kind);
		const options = { database, demo: true, rateLimitPerKey: 20 };
		const one = await createService(options);
		const two = kind === 'PostgreSQL' ? await createService(options) : one;
		const key = { authorization: `Bearer ${one.demo?.apiKey}` };
		const both = Array.from({ length: 50 }, (_, index) => ask((index % 2 ? one : two).fetch, key));
		const statuses = await Promise.all(both);
		const passed = statuses.filter((status) => status === 200).length;
		expect(passed).toBeGreaterThanOrEqual(20);
		// Until they have added up their counts, each replica lets through what the limit says.
		expect(passed).toBeLessThanOrEqual(one === two ? 20 : 40);
		expect(new Set(statuses)).toEqual(new Set([200, 429]));
		await Promise.all([...new Set([one, two])].map((service) => service.close()));
	},
);

test.each(databaseKinds)(
	'undoing a count after its minute is over has no effect, on %s',
	async (kind) => {
		const database = await readyDatabase(kind);
		const attempts = createAttempts(database, settingsFrom({}));
		attempts.forgivePassword({ address: '192.0.2.1', email: 'ann@example.com' });
		await attempts.password({ address: '192.0.2.1', email: 'ann@example.com' });
		await database.close();
	},
);

test('a request that was counted in the minute before is not refunded in this one', async () => {
	const database = await readyDatabase('SQLite');
	let time = 0;
	const limits = createLimits(
		{ clock: { ...database.clock, now: () => time } },
		settingsFrom({ RATE_LIMIT_PER_KEY: '2', RATE_LIMIT_PER_ACCOUNT: '3' }),
	);
	const caller = { accountId: 'acc_1', keyId: 'key_1' };
	const forgive = await limits.request(caller);
	forgive();
	const forgiveLate = await limits.request(caller);
	time = 61_000;
	for (let count = 0; count < 2; count += 1) await limits.request(caller);
	forgiveLate();
	await expect(limits.request(caller)).rejects.toMatchObject({ code: 'rate_limited' });
	await limits.request({ ...caller, keyId: 'key_2' });
	await expect(limits.request({ ...caller, keyId: 'key_2' })).rejects.toThrow('Too many');
	await database.close();
});

test('a caller above the limit is rejected without another write to the database', async () => {
	const database = await readyDatabase('PostgreSQL');
	const limits = createLimits(database, settingsFrom({ RATE_LIMIT_PER_ACCOUNT: '2' }));
	const rejected: string[] = [];
	for (let count = 0; count < 6; count += 1) {
		await limits.request({ accountId: 'acc_1' }).catch(({ code }) => rejected.push(code));
	}
	expect(rejected).toEqual(Array(4).fill('rate_limited'));
	const sql = 'select points from rate_limits where key like $1';
	const pointsOf = async (id: string) => (await database.pool?.query(sql, [`%${id}`]))?.rows;
	await expect.poll(() => pointsOf('acc_1')).toEqual([{ points: 2 }]);
	await limits.request({ accountId: 'acc_1' }).catch(() => {});
	// The counts of a replica are written together: those of the other account are there, too.
	for (let count = 0; count < 2; count += 1) await limits.request({ accountId: 'acc_2' });
	await expect.poll(() => pointsOf('acc_2')).toEqual([{ points: 2 }]);
	expect(await pointsOf('acc_1')).toEqual([{ points: 2 }]);
	await database.close();
});

test('a page counts once, whatever it requests of the API', async () => {
	const service = await createTestService({ rateLimitPerAccount: 3 });
	const { email, password } = service.demo;
	const cookie = sessionOf(await sendForm(service, '/login', { email, password }));
	const statuses = [];
	for (let count = 0; count < 4; count += 1) {
		statuses.push((await openPage(service, '/admin/agents', cookie)).status);
	}
	expect(statuses).toEqual([200, 200, 200, 429]);
	await service.close();
});
