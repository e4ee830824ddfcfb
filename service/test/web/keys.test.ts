// The pages about API keys: shown once, created once, revoked.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { openPage, origin, sendForm, signUp, topUp } from './support/lab.ts';

let service: TestService;
let cookie: string;
let visitors = 0;
beforeAll(async () => {
	service = await createTestService({ sessionIdleMinutes: 20_000 });
});
afterAll(() => service.close());

const newPaidVisitor = async () => {
	visitors += 1;
	cookie = await signUp(service, `paid-${visitors}@example.com`, { paid: true });
};

const open = async (path: string) => (await openPage(service, path, cookie)).text();

const tokenOf = (text: string) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';

const keyIn = (text: string) => /key_[0-9a-f]{48}/.exec(text)?.[0] ?? '';

const create = async (label: string) =>
	sendForm(service, '/keys', { label, token: tokenOf(await open('/keys/new')) }, cookie);

const call = (key: string) =>
	service.fetch(`${origin}/v1/boards`, { headers: { authorization: `Bearer ${key}` } });

const idOf = (text: string) => /key_[0-9a-f]{24}(?![0-9a-f])/.exec(text)?.[0] ?? '';

test('a new key is shown once, with commands for the shell and CI, and works', async () => {
	await newPaidVisitor();
	const answer = await create('ci');
	const text = await answer.text();
	const key = keyIn(text);
	expect(answer.status).toBe(200);
	expect(answer.headers.get('cache-control')).toBe('no-store');
	expect(text).toContain(`export SERVICE_API_KEY=${key}`);
	expect(text).toContain('export SERVICE_BASE_URL=http://localhost');
	expect(text).toContain('secrets.SERVICE_API_KEY');
	expect((await call(key)).status).toBe(200);
	expect(await open('/keys')).toContain(`${key.slice(0, 8)}…${key.slice(-4)}`);
	expect(keyIn(await open('/keys'))).toBe('');
});

test('the form preselects boards and leases for 90 days, and offers more', async () => {
	await newPaidVisitor();
	const form = await open('/keys/new');
	const checked = [...form.matchAll(/name="(scope|expires)" value="(\w+)" checked/g)];
	expect(checked.map(([, , value]) => value)).toEqual(['boards', '90']);
	const listKeys = async (text: string) => {
		const headers = { authorization: `Bearer ${keyIn(text)}` };
		return (await service.fetch(`${origin}/v1/auth/keys`, { headers })).status;
	};
	expect(await listKeys(await (await create('limited')).text())).toBe(403);
	expect(await open('/keys')).toMatch(/Boards and leases<.*in [23] months/s);
	const more = { scope: 'full', expires: 'never', token: tokenOf(form), label: 'own' };
	expect(await listKeys(await (await sendForm(service, '/keys', more, cookie)).text())).toBe(200);
	expect(await open('/keys')).toMatch(/Everything</);
	const wrong = await sendForm(service, '/keys', { ...more, expires: '5000', token: 'x' }, cookie);
	expect(await wrong.text()).toContain('Choose when the key expires.');
});

test('a form that is sent twice creates one key', async () => {
	await newPaidVisitor();
	const fields = { label: 'once', token: tokenOf(await open('/keys/new')) };
	const first = await sendForm(service, '/keys', fields, cookie);
	const second = await sendForm(service, '/keys', fields, cookie);
	expect([second.status, second.headers.get('location')]).toEqual([303, '/keys']);
	expect((await call(keyIn(await first.text()))).status).toBe(200);
	expect((await open('/keys')).match(/<bdi>once</g)).toHaveLength(1);
});

test('a form that already created a key is shown again with another label', async () => {
	await newPaidVisitor();
	const token = tokenOf(await open('/keys/new'));
	await sendForm(service, '/keys', { label: 'one', token }, cookie);
	const answer = await sendForm(service, '/keys', { label: 'two', token }, cookie);
	const text = await answer.text();
	expect(answer.status).toBe(422);
	expect(text).toContain('value="two"');
	expect(tokenOf(text)).not.toBe(token);
});

test('a label that is too long is rejected, and the form keeps it', async () => {
	await newPaidVisitor();
	const label = 'l'.repeat(201);
	const answer = await create(label);
	const text = await answer.text();
	expect(answer.status).toBe(400);
	expect(text).toContain(`value="${label}"`);
	expect(text).toContain('Enter at most 200 characters, on one line.');
});

test('on the free tier, a key is rejected, and the page leads to the top-up', async () => {
	cookie = await signUp(service, 'free-tier@example.com');
	const refused = await sendForm(service, '/keys', { label: 'my ci', token: 't' }, cookie);
	const text = await refused.text();
	expect(refused.status).toBe(402);
	expect(text).toContain('Creating keys needs the paid tier');
	expect(text).toContain('href="/credits"');
	await topUp(service, { credits: '25' }, cookie);
	expect(await open('/credits')).toContain('href="/keys/new"');
});

test('revoking asks for confirmation with the key, then the key stops working', async () => {
	await newPaidVisitor();
	const key = keyIn(await (await create('short-lived')).text());
	const id = idOf(await open('/keys'));
	const question = await open(`/keys/revoke?id=${id}`);
	expect(question).toContain('Revoke this key?');
	for (const fact of ['short-lived', `${key.slice(0, 8)}…${key.slice(-4)}`, 'just now', 'Never']) {
		expect(question).toContain(fact);
	}
	expect((await call(key)).status).toBe(200);
	const answer = await sendForm(service, `/keys/revoke`, { id }, cookie);
	expect(answer.headers.get('location')).toBe('/keys');
	expect((await call(key)).status).toBe(401);
	expect(await open('/keys')).not.toContain('short-lived');
	expect(await open('/keys?revoked=true')).toMatch(/class="struck"><bdi>short-lived/);
	const found = await open('/keys?revoked=true&q=short');
	expect(found).toMatch(/class="struck"><bdi>short-lived/);
	expect(found).toContain('name="revoked" value="true"');
});

test('the keys of other accounts are not found', async () => {
	await newPaidVisitor();
	await create('mine');
	const id = idOf(await open('/keys'));
	cookie = await signUp(service, 'other@example.com');
	expect((await openPage(service, `/keys/revoke?id=${id}`, cookie)).status).toBe(404);
	expect((await sendForm(service, `/keys/revoke`, { id }, cookie)).status).toBe(404);
});

test('a long list of keys has pages', async () => {
	await newPaidVisitor();
	const headers = { cookie, origin, 'content-type': 'application/json' };
	for (let number = 0; number < 51; number += 1) {
		const body = JSON.stringify({ label: `number ${number}.` });
		await service.fetch(`${origin}/v1/auth/keys`, { method: 'POST', headers, body });
	}
	const first = await open('/keys');
	expect(first).toContain('number 50.');
	expect(first).not.toContain('number 0.');
	for (const path of ['/keys', '/keys?revoked=true', '/keys?q=number']) {
		const next = /rel="next" href="([^"]+)"/.exec(await open(path))?.[1] ?? '';
		expect(labelsOn(await open(next.replaceAll('&amp;', '&')))).toEqual(['number 0.']);
	}
});

test('an account without keys is shown how to create one', async () => {
	cookie = await signUp(service, 'empty@example.com');
	expect(await open('/keys')).toContain('Create your first key');
});

const createWith = async (body: object) => {
	const headers = { cookie, origin, 'content-type': 'application/json' };
	const init = { method: 'POST', headers, body: JSON.stringify(body) };
	const created = await (await service.fetch(`${origin}/v1/auth/keys`, init)).json();
	return created as { id: string; key: string; hint: string };
};

const labelsOn = (page: string) =>
	[...page.matchAll(/<strong><bdi>([^<]+)/g)].map(([, name]) => name);

test('keys are searched by label and masked key, newest first', async () => {
	await newPaidVisitor();
	await createWith({ label: 'ci' });
	const bench = await createWith({ label: 'Bench' });
	await createWith({ label: 'archive' });
	expect(labelsOn(await open('/keys?q=BENCH'))).toEqual(['Bench']);
	expect(labelsOn(await open(`/keys?q=${encodeURIComponent(bench.hint)}`))).toEqual(['Bench']);
	expect(await open('/keys?q=nothing-like-it')).toContain('No key matches');
	expect(labelsOn(await open('/keys'))).toEqual(['archive', 'Bench', 'ci']);
});

test('the list shows where a key was used last', async () => {
	await newPaidVisitor();
	const { key } = await createWith({ label: 'used' });
	await call(key);
	await expect.poll(() => open('/keys')).toMatch(/Last used.*<code class="small">in-process</s);
});

test('the list marks a key a week before it expires, and shows when it has expired', async () => {
	await newPaidVisitor();
	const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
	const marked = async () => (await open('/keys')).match(/status-offline/g)?.length ?? 0;
	await createWith({ label: 'next month', expires_at: inDays(30) });
	await createWith({ label: 'for a job', expires_at: inDays(5.5) });
	await createWith({ label: 'this week', expires_at: inDays(8.5) });
	expect(await marked()).toBe(0);
	vi.setSystemTime(Date.now() + 3 * 86_400_000);
	expect(await marked()).toBe(1);
	vi.setSystemTime(Date.now() + 6 * 86_400_000);
	const later = await open('/keys');
	vi.useRealTimers();
	expect(later.match(/Expired/g)).toHaveLength(2);
});
