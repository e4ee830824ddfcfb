// The request log says who sent what was rejected: account, key or address, and never the secret.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../../../core/src/keys/store.ts';
import { assemble } from '../../src/service.ts';
import { openPage, origin, sendForm, sessionOf, signUp } from '../web/support/lab.ts';

const lines: Record<string, unknown>[] = [];
let text = '';
let service: Awaited<ReturnType<typeof assemble>>;
beforeAll(async () => {
	const write = (line: string) => {
		text += line;
		lines.push(JSON.parse(line));
	};
	service = await assemble({
		demo: true,
		log: { write },
		trustProxy: true,
		rateLimitPerKey: 3,
		rateLimitPerAddress: 20,
	});
});
afterAll(() => service.close());
beforeEach(() => {
	lines.length = 0;
});

const address = '203.0.113.7';
const fetch = async (input: Request | URL | string, init: RequestInit = {}) => {
	const headers = new Headers(init.headers);
	if (!headers.has('x-forwarded-for')) headers.set('x-forwarded-for', address);
	return service.app.fetch(new Request(input, { ...init, headers }), {});
};

const withKey = (key: string, path = '/v1/boards?limit=1') =>
	fetch(origin + path, { headers: { authorization: `Bearer ${key}` } });

/** An account with a key and a session. */
async function member(email: string) {
	const cookie = await signUp({ fetch }, email);
	const { id: accountId } = await service.services.database.query
		.selectFrom('accounts')
		.select('id')
		.where('email', '=', email)
		.executeTakeFirstOrThrow();
	const key = await issueKey(service.services.database.query, { accountId, scope: 'boards' });
	lines.length = 0;
	return { cookie, accountId, key };
}

test('a key that was revoked, lacks the scope or is over its limit is named, and an unknown one is not', async () => {
	const { accountId, key } = await member('ann@example.com');
	const who = { account: accountId, key: key.id, address };
	await withKey(key.key, '/v1/auth/keys');
	expect(lines[0]).toMatchObject({ ...who, status: 403, code: 'scope_insufficient' });
	for (let count = 0; count < 3; count += 1) await withKey(key.key);
	expect(lines.map(({ status }) => status)).toEqual([403, 200, 200, 429]);
	expect(lines[1]).not.toHaveProperty('address');
	expect(lines[3]).toMatchObject({ ...who, code: 'rate_limited' });
	await revokeKey(service.services.database.query, { accountId, id: key.id });
	await withKey(key.key);
	expect(lines[4]).toMatchObject({ ...who, status: 401, code: 'api_key_revoked' });
	const unknown = `key_${'0'.repeat(48)}`;
	await withKey(unknown);
	expect(lines[5]).toMatchObject({ status: 401, code: 'api_key_invalid', address });
	expect(lines[5]).not.toHaveProperty('account');
	expect(lines).toHaveLength(6);
	for (const secret of [key.key, unknown]) expect(text).not.toContain(secret);
});

test('a session without the right, or from another site, is named with its account', async () => {
	const { accountId, cookie } = await member('bob@example.com');
	await openPage({ fetch }, '/admin/accounts', cookie);
	expect(lines.at(-1)).toMatchObject({ status: 403, account: accountId, address });
	await fetch(`${origin}/account/delete`, {
		method: 'POST',
		body: new URLSearchParams(),
		headers: { cookie, origin: 'https://evil.example' },
	});
	const rejected = { status: 403, code: 'origin_refused', account: accountId, address };
	expect(lines.at(-1)).toMatchObject(rejected);
	expect(lines).toHaveLength(2);
	const [, token = 'none'] = cookie.split('=');
	expect(text).not.toContain(token);
});

test('a failed log-in names the account whose password was guessed, if there is one', async () => {
	const { accountId } = await member('cat@example.com');
	const guess = { email: 'cat@example.com', password: 'a wrong guess' };
	await sendForm({ fetch }, '/login', guess);
	expect(lines).toMatchObject([{ route: '/login', status: 400, named: accountId, address }]);
	await sendForm({ fetch }, '/login', { ...guess, email: 'nobody@example.com' });
	expect(lines[1]).toMatchObject({ route: '/login', status: 400, address });
	expect(lines[1]).not.toHaveProperty('named');
	expect(text).not.toContain('a wrong guess');
	expect(text).not.toContain('@example.com');
	// Somebody who is logged in is named as well.
	const thief = await member('dan@example.com');
	await sendForm({ fetch }, '/login', guess, thief.cookie);
	expect(lines.at(-1)).toMatchObject({ account: thief.accountId, named: accountId, address });
});

test('a flood from one address has one line for each request, with the address', async () => {
	const headers = { 'x-forwarded-for': '198.51.100.1' };
	for (let count = 0; count < 25; count += 1) await fetch(`${origin}/login`, { headers });
	expect(lines).toHaveLength(25);
	expect(lines.at(-1)).toMatchObject({ status: 429, address: '198.51.100.1' });
});

test('a request that succeeded has no more than before', async () => {
	const { cookie } = await member('eve@example.com');
	await openPage({ fetch }, '/account', cookie);
	expect(Object.keys(lines[0] ?? {}).sort()).toEqual(
		['level', 'method', 'milliseconds', 'request', 'route', 'status', 'time'].sort(),
	);
	expect(sessionOf(await openPage({ fetch }, '/account', cookie))).toBe('');
});
