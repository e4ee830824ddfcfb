// The pages for sessions, the repeated password, two-factor authentication and deleting an account.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { passMinutes } from '../../../core/test/support/time.ts';
import { totp } from '../../../core/test/support/totp.ts';
import { assemble, type ServiceOptions } from '../../src/service.ts';
import { openPage, sendForm, sessionOf, signUp, signUpVerified } from './support/lab.ts';

const password = 'a long sentence';

async function openService(options: ServiceOptions = {}) {
	const generous = { rateLimitFailedCredentials: 10_000 };
	const { app, ...service } = await assemble({ ...generous, ...options, demo: true });
	const fetch = async (input: Request | URL | string, init?: RequestInit) =>
		app.fetch(new Request(input, init), {});
	const { demo } = service;
	if (!demo) throw new Error('The demo was not made');
	return { ...service, demo, fetch, query: service.services.database.query };
}

type Service = Awaited<ReturnType<typeof openService>>;

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());
afterEach(() => {
	vi.useRealTimers();
});

async function textOf(path: string, cookie: string) {
	return (await openPage(service, path, cookie)).text();
}

/** The hidden fields of a form, in order. */
function hiddenFields(text: string) {
	const inputs = text.matchAll(/<input type="hidden" name="([^"]*)"[^>]*value="([^"]*)"/g);
	return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

function logInFrom(userAgent: string, email: string) {
	return service.fetch('http://localhost/login', {
		method: 'POST',
		body: new URLSearchParams({ email, password }),
		headers: { origin: 'http://localhost', 'user-agent': userAgent },
		redirect: 'manual',
	});
}

describe('the sessions on the account page', () => {
	test('show device and address, and each can be ended', async () => {
		const email = 'sessions@example.com';
		const cookie = await signUp(service, email);
		const others = [firefox, 'curl/8.5.0', '<script>'];
		const cookies: string[] = [];
		for (const agent of others) cookies.push(sessionOf(await logInFrom(agent, email)));
		const text = await textOf('/account', cookie);
		expect(text).toContain('Firefox on Windows');
		expect(text).toContain('curl/8.5.0');
		expect(text).toContain('Unknown device');
		expect(text).not.toContain('<script>');
		expect(text).toContain('in-process');
		expect(text.match(/This device/g)).toHaveLength(1);
		const [path = ''] = /\/account\/sessions\/ses_\w+\/end/.exec(text) ?? [];
		const ended = await sendForm(service, path, {}, cookie);
		expect(ended.headers.get('location')).toBe('/account#sessions');
		const statuses = async () =>
			(await Promise.all(cookies.map((other) => openPage(service, '/account', other)))).map(
				({ status }) => status,
			);
		expect((await statuses()).sort()).toEqual([200, 200, 303]);
		await sendForm(service, '/account/sessions/end-others', {}, cookie);
		expect(await statuses()).toEqual([303, 303, 303]);
		expect((await openPage(service, '/account', cookie)).status).toBe(200);
	});

	test('end only with the session of their account', async () => {
		const cookie = await signUp(service, 'owner@example.com');
		await logInFrom(firefox, 'owner@example.com');
		const [path = ''] =
			/\/account\/sessions\/ses_\w+\/end/.exec(await textOf('/account', cookie)) ?? [];
		await sendForm(service, path, {}, await signUp(service, 'thief@example.com'));
		expect(await textOf('/account', cookie)).toContain(path);
	});
});

describe('a session in which the password was not entered for 15 minutes', () => {
	let admin: string;
	let user: string;
	let boardId: string;
	const image = { action: 'erase', board_type: 'arduino-uno', name: 'Evil', enabled: 'on' };
	const board = { name: 'New', board_type: 'arduino-uno', credits_per_minute: '0' };
	beforeEach(async () => {
		const { email, password } = service.demo;
		admin = sessionOf(await sendForm(service, '/login', { email, password }));
		const found = await service.query
			.selectFrom('accounts')
			.select('id')
			.where('email', '=', 'target@example.com')
			.execute();
		if (found.length === 0) await signUp(service, 'target@example.com');
		const { id } = await service.query
			.selectFrom('accounts')
			.select('id')
			.where('email', '=', 'target@example.com')
			.executeTakeFirstOrThrow();
		user = id;
		const first = service.query.selectFrom('boards').select('id').orderBy('name');
		boardId = (await first.executeTakeFirstOrThrow()).id;
	});

	test('repeats a form of as many fields as a form has, and rejects very many', async () => {
		passMinutes(16);
		const statusOf = async (fields: number) => {
			const body = new URLSearchParams('x=&'.repeat(fields));
			const origin = 'http://localhost';
			const headers = { origin, cookie: admin, accept: 'text/html' };
			const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
			return (await service.fetch('http://localhost/account/delete', init)).status;
		};
		expect([await statusOf(4_000), await statusOf(4_001)]).toEqual([403, 400]);
	});

	test.each([
		['creates no key', () => '/keys', { label: 'ci', token: 't1' }],
		['changes no role', () => `/admin/accounts/${user}/promote`, {}],
		[
			'grants no credits',
			() => `/admin/accounts/${user}/credits`,
			{ amount: '5', token: 't2', sure: 'on' },
		],
		['deletes no account', () => `/admin/accounts/${user}/delete`, {}],
		['adds no base image', () => '/admin/base-images/new', { ...image, token: 't4' }],
		['adds no board', () => '/admin/boards/new', { ...board, token: 't5' }],
		['begins no maintenance', () => `/admin/boards/${boardId}/maintenance`, { on: 'true' }],
		['retires no board', () => `/admin/boards/${boardId}/retire`, {}],
		['ends no other sessions', () => '/account/sessions/end-others', {}],
		['ends no session', () => '/account/sessions/ses_1/end', {}],
		['does not delete its own account', () => '/account/delete', {}],
	])('%s until it is entered again', async (_title, path, fields) => {
		passMinutes(16);
		const asked = await sendForm(service, path(), fields, admin);
		expect(asked.status).toBe(403);
		const text = await asked.text();
		expect(text).toContain('Confirm that it is you');
		const hidden = hiddenFields(text);
		expect(hidden).toMatchObject(fields);
		// A second token would make it another form, which then changes something again.
		expect(text.match(/name="token"/g) ?? []).toHaveLength('token' in fields ? 1 : 0);
		expect(text).toContain(`action="${path()}"`);

		const wrong = { ...hidden, confirmation: 'not this one' };
		const refused = await sendForm(service, path(), wrong, admin);
		expect(refused.status).toBe(403);
		const again = await refused.text();
		expect(again).toContain('The password is incorrect.');
		expect(again).not.toContain('not this one');
		expect(hiddenFields(again)).toEqual(hidden);

		// The last administrator is not deleted.
		if (path() === '/account/delete') return;
		const right = { ...hidden, confirmation: service.demo.password };
		const done = await sendForm(service, path(), right, admin);
		expect([200, 303]).toContain(done.status);
		expect(done.headers.get('location') ?? '').not.toContain('/login');
		expect(sessionOf(done)).not.toBe('');
		expect(sessionOf(done)).not.toBe(admin);
	});

	test.each([
		['key', '/v1/auth/keys', {}],
		['agent', '/v1/admin/agents', { name: 'Bench', board_ids: [] }],
		['base image', '/v1/admin/base-images', { ...image, enabled: true }],
		['board', '/v1/admin/boards', { name: 'New', board_type: 'arduino-uno' }],
	])('creates no %s over the API, but does after a fresh log-in', async (_what, path, body) => {
		const create = (cookie: string) =>
			service.fetch(`http://localhost${path}`, {
				method: 'POST',
				headers: { cookie, origin: 'http://localhost', 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
		passMinutes(16);
		const refused = await create(admin);
		expect(refused.status).toBe(403);
		expect(await refused.json()).toMatchObject({ error: { code: 'confirmation_required' } });
		const { email, password } = service.demo;
		const fresh = sessionOf(await sendForm(service, '/login', { email, password }));
		expect((await create(fresh)).status).toBe(201);
	});

	test('changes nothing of an administrator over the API, and reads it', async () => {
		passMinutes(16);
		const codeOf = async (method: string, path: string, credential: Record<string, string>) => {
			const headers = { ...credential, origin: 'http://localhost' };
			const response = await service.fetch(`http://localhost/v1/admin${path}`, { method, headers });
			const { error } = method === 'HEAD' ? {} : await response.json();
			return error?.code ?? response.status;
		};
		const changes = [
			['DELETE', '/leases/lse_none'],
			...['agents', 'boards', 'base-images'].flatMap((noun) => [
				['PATCH', `/${noun}/none`],
				['DELETE', `/${noun}/none`],
			]),
			['PUT', '/base-images'],
			['POST', '/boards/none/maintenance'],
		] as const;
		for (const [method = '', path = ''] of changes) {
			expect(await codeOf(method, path, { cookie: admin })).toBe('confirmation_required');
			const authorization = `Bearer ${service.demo.apiKey}`;
			expect(await codeOf(method, path, { authorization })).not.toBe('confirmation_required');
		}
		expect(await codeOf('GET', '/base-images', { cookie: admin })).toBe(200);
		expect(await codeOf('HEAD', '/agents', { cookie: admin })).toBe(200);
	});

	test('ends no request that was sent at the same time', async () => {
		passMinutes(16);
		const pages = ['/account', '/keys', '/boards'];
		const fields = { label: 'ci', token: 't9', confirmation: service.demo.password };
		const [created, ...others] = await Promise.all([
			sendForm(service, '/keys', fields, admin),
			...pages.map((path) => openPage(service, path, admin)),
		]);
		expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(created?.status).toBe(200);
		// They came with the former token, which creates nothing now.
		const copied = await sendForm(service, '/keys', { label: 'ci', token: 't10' }, admin);
		expect(copied.status).toBe(403);
		passMinutes(1);
		expect((await openPage(service, '/account', admin)).status).toBe(303);
		const cookie = sessionOf(created ?? Response.error());
		expect((await openPage(service, '/account', cookie)).status).toBe(200);
	});

	test('stays logged in if the form cannot be carried out', async () => {
		passMinutes(16);
		const fields = { amount: '5', confirmation: service.demo.password };
		const failed = await sendForm(service, '/admin/accounts/none/credits', fields, admin);
		expect(failed.status).toBe(404);
		passMinutes(1);
		expect((await openPage(service, '/account', sessionOf(failed))).status).toBe(200);
	});

	test('accepts no password from an address', async () => {
		const address = `/account/two-factor?confirmation=${encodeURIComponent(service.demo.password)}`;
		expect((await openPage(service, address, admin)).status).toBe(403);
	});
});

/** Turns two-factor authentication on, and returns the secret and the recovery codes. */
async function turnOn(lab: Service, former: string, confirmation = password) {
	const shown = await sendForm(lab, '/account/two-factor', { confirmation }, former);
	const [page, cookie] = [await shown.text(), sessionOf(shown)];
	const [, secret = ''] = /id="secret">([A-Z2-7]+)</.exec(page) ?? [];
	expect(page).toMatch(/<img[^>]*src="data:image\/svg\+xml,/);
	expect(page).not.toMatch(/style=|<style|onclick/);
	const done = await sendForm(lab, '/account/two-factor', { code: totp(secret) }, cookie);
	const text = await done.text();
	const [, codes = ''] = /id="new-key">([^<]+)</.exec(text) ?? [];
	return { secret, codes: codes.split('\n'), cookie: sessionOf(done) };
}

function cookiesOf(response: Response) {
	return response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
}

describe('two-factor authentication', () => {
	test('is set up with a code, then asked for at the log-in, which still leads to the requested page', async () => {
		const email = 'two@example.com';
		const signedUp = await signUpVerified(service, email);
		const wrong = await sendForm(service, '/account/two-factor', { code: '12' }, signedUp);
		expect(wrong.status).toBe(400);
		expect(await wrong.text()).toContain('The code is not correct');
		const { secret, codes, cookie } = await turnOn(service, signedUp);
		expect(cookie).not.toBe(signedUp);
		expect(codes).toHaveLength(10);
		expect(await textOf('/account/two-factor', cookie)).toContain('10 recovery codes are left');

		passMinutes(1);
		const first = await sendForm(service, '/login', { email, password, next: '/keys' });
		expect(first.headers.get('location')).toBe('/login/code?next=%2Fkeys');
		const held = cookiesOf(first);
		expect(held).not.toContain('session_token');
		expect((await openPage(service, '/account', held)).status).toBe(303);
		const form = await (await openPage(service, '/login/code?next=%2Fkeys', held)).text();
		expect(form).toContain('autocomplete="one-time-code"');
		const code = { code: totp(secret), next: '/keys' };
		const second = await sendForm(service, '/login/code', code, held);
		expect(second.headers.get('location')).toBe('/keys');
		expect((await openPage(service, '/keys', sessionOf(second))).status).toBe(200);
		const replayed = await sendForm(service, '/login/code', code, held);
		expect(replayed.headers.get('location')).toBe('/login?next=%2Fkeys');
	});

	test('has no second step without the first', async () => {
		const page = await openPage(service, '/login/code');
		expect([page.status, page.headers.get('location')]).toEqual([303, '/login?next=%2Fboards']);
	});

	test('is turned off, and its codes are replaced, only with a code, however fresh the session is', async () => {
		const { secret, codes, ...session } = await turnOn(
			service,
			await signUpVerified(service, 'off@example.com'),
		);
		let { cookie } = session;
		const send = async (path: string, confirmation?: string) => {
			const fields = confirmation === undefined ? {} : { confirmation };
			return sendForm(service, `/account/two-factor/${path}`, fields, cookie);
		};
		for (const path of ['off', 'codes']) {
			for (const proof of [undefined, '', password, '000000', totp(secret)]) {
				const refused = await send(path, proof);
				expect(refused.status).toBe(403);
				expect(sessionOf(refused)).toBe('');
				const text = await refused.text();
				expect(text).toContain('Enter a code of your authenticator app');
				expect(text.includes('The code is incorrect or was already used')).toBe(Boolean(proof));
			}
		}
		passMinutes(1);
		const renewed = await send('codes', totp(secret));
		const text = await renewed.text();
		expect(text).not.toContain(codes[0]);
		cookie = sessionOf(renewed);
		const [fresh = 'none'] = /[a-z2-7]{4}(-[a-z2-7]{2,4}){6}/.exec(text) ?? [];
		expect((await send('off', codes[0])).status).toBe(403);
		const off = await send('off', fresh);
		expect(off.headers.get('location')).toBe('/account');
		expect(await textOf('/account', sessionOf(off))).toContain('It is off.');
		const log = await sendForm(service, '/login', { email: 'off@example.com', password });
		expect(log.headers.get('location')).toBe('/boards');
	});

	test('asks for a code in place of the password from then on', async () => {
		const { secret, cookie } = await turnOn(
			service,
			await signUpVerified(service, 'code@example.com'),
		);
		passMinutes(16);
		const end = (fields: Record<string, string>) =>
			sendForm(service, '/account/sessions/end-others', fields, cookie);
		expect(await (await end({})).text()).toContain('Enter a code of your authenticator app');
		expect((await end({ confirmation: password })).status).toBe(403);
		expect((await end({ confirmation: totp(secret) })).status).toBe(303);
	});

	test('shows its secret only for the password, however fresh the session is', async () => {
		const cookie = await signUpVerified(service, 'copied@example.com');
		const page = await openPage(service, '/account/two-factor', cookie);
		expect(page.status).toBe(403);
		expect(await page.text()).not.toContain('id="secret"');
		const send = (fields: Record<string, string>) =>
			sendForm(service, '/account/two-factor', fields, cookie);
		// The second one fails as a code does, and shows the form again.
		for (const fields of [{}, { code: '000000' }, { confirmation: 'not this one' }]) {
			const text = await (await send(fields)).text();
			expect(text).not.toMatch(/id="secret"|class="qr-code"/);
		}
		const shown = await send({ confirmation: password });
		expect(await shown.text()).toContain('id="secret"');
	});

	test('keeps its secret while codes are wrong, and is asked again after 15 minutes', async () => {
		const fields = { confirmation: password };
		const signedUp = await signUpVerified(service, 'slow@example.com');
		const shown = await sendForm(service, '/account/two-factor', fields, signedUp);
		const cookie = sessionOf(shown);
		const [, secret = ''] = /id="secret">([A-Z2-7]+)</.exec(await shown.text()) ?? [];
		const send = (code: string) => sendForm(service, '/account/two-factor', { code }, cookie);
		expect((await send('000000')).status).toBe(400);
		passMinutes(16);
		expect((await send(totp(secret))).status).toBe(403);
		const both = { code: totp(secret), ...fields };
		const done = await sendForm(service, '/account/two-factor', both, cookie);
		expect(await done.text()).toContain('Your recovery codes');
		passMinutes(1);
		expect((await openPage(service, '/account', sessionOf(done))).status).toBe(200);
	});

	test('is turned off by an administrator for somebody who lost the phone', async () => {
		const { cookie } = await turnOn(service, await signUpVerified(service, 'lost@example.com'));
		const demo = { email: service.demo.email, password: service.demo.password };
		const admin = sessionOf(await sendForm(service, '/login', demo));
		const list = await textOf('/admin/accounts?q=lost%40', admin);
		const [path = ''] = /\/admin\/accounts\/acc_\w+/.exec(list) ?? [];
		expect(list).toContain('Two-factor');
		expect(await textOf(path, admin)).toContain(`${path}/reset-two-factor`);
		const proof = { confirmation: service.demo.password };
		await sendForm(service, `${path}/reset-two-factor`, proof, admin);
		expect((await openPage(service, '/account', cookie)).status).toBe(303);
		const again = await sendForm(service, '/login', { email: 'lost@example.com', password });
		expect(await textOf('/account', sessionOf(again))).toContain('It is off.');
	});
});

describe('with ADMIN_TWO_FACTOR=required', () => {
	let strict: Service;
	let admin: string;
	beforeAll(async () => {
		strict = await openService({ adminTwoFactor: 'required' });
		const { email, password } = strict.demo;
		admin = sessionOf(await sendForm(strict, '/login', { email, password }));
	});
	afterAll(() => strict.close());

	const api = async (headers: Record<string, string>, path = '/v1/admin/leases') => {
		const response = await strict.fetch(`http://localhost${path}`, { headers });
		return response.status;
	};

	test('an administrator without it can open only its set-up', async () => {
		for (const path of ['/admin/accounts', '/keys/new', '/boards', '/accounts']) {
			const page = await openPage(strict, path, admin);
			if (path === '/accounts') expect(page.status).toBe(404);
			else expect(page.headers.get('location')).toBe('/account/two-factor');
		}
		expect((await sendForm(strict, '/keys', { label: 'x', token: 'y' }, admin)).status).toBe(303);
		expect((await openPage(strict, '/account', admin)).status).toBe(200);
		expect(await api({ cookie: admin })).toBe(403);
		expect(await api({ cookie: admin }, '/v1/boards')).toBe(403);
	});

	test('the keys of an administrator work, and users are not asked', async () => {
		expect(await api({ authorization: `Bearer ${strict.demo.apiKey}` })).toBe(200);
		const user = await signUp(strict, 'user@example.com');
		expect((await openPage(strict, '/boards', user)).status).toBe(200);
	});

	test('the pages open once it is set up', async () => {
		admin = (await turnOn(strict, admin, strict.demo.password)).cookie;
		expect((await openPage(strict, '/admin/accounts', admin)).status).toBe(200);
		expect(await api({ cookie: admin })).toBe(200);
	});
});

test.each(['promote', 'reset-two-factor'])(
	'an administrator is always asked before %s',
	async (change) => {
		const email = `always-${change}@example.com`;
		await turnOn(service, await signUpVerified(service, email));
		const demo = { email: service.demo.email, password: service.demo.password };
		const admin = sessionOf(await sendForm(service, '/login', demo));
		const list = await textOf(`/admin/accounts?q=always-${change}`, admin);
		const [path = ''] = /\/admin\/accounts\/acc_\w+/.exec(list) ?? [];
		const asked = await sendForm(service, `${path}/${change}`, {}, admin);
		expect(asked.status).toBe(403);
		expect(await asked.text()).toContain('Confirm that it is you');
		const fields = { confirmation: demo.password };
		const done = await sendForm(service, `${path}/${change}`, fields, admin);
		expect(done.headers.get('location')).toBe(path);
	},
);

describe('deleting an account', () => {
	test('logs out, and the address can sign up again', async () => {
		const cookie = await signUp(service, 'leaver@example.com', { paid: true });
		expect(await textOf('/account/delete', cookie)).toContain('leaver@example.com');
		const asked = await sendForm(service, '/account/delete', {}, cookie);
		expect(await asked.text()).toContain('Confirm that it is you');
		const fields = { confirmation: password };
		const done = await sendForm(service, '/account/delete', fields, cookie);
		expect(done.headers.get('location')).toBe('/login');
		expect((await openPage(service, '/account', cookie)).status).toBe(303);
		const again = await signUp(service, 'leaver@example.com');
		expect(await textOf('/account', again)).toContain('Free tier');
	});

	test('by an administrator removes it from the list', async () => {
		await signUp(service, 'removed@example.com');
		const { email, password } = service.demo;
		const admin = sessionOf(await sendForm(service, '/login', { email, password }));
		const list = '/admin/accounts?q=removed%40';
		const [path = ''] = /\/admin\/accounts\/acc_\w+/.exec(await textOf(list, admin)) ?? [];
		expect(await textOf(`${path}/delete`, admin)).toContain('Delete this account?');
		const done = await sendForm(service, `${path}/delete`, {}, admin);
		expect(done.headers.get('location')).toBe('/admin/accounts');
		expect(await textOf(list, admin)).toContain('No account matches');
		expect((await openPage(service, path, admin)).status).toBe(404);
	});

	test('is rejected for the last administrator, with the reason', async () => {
		const { email, password } = service.demo;
		const admin = sessionOf(await sendForm(service, '/login', { email, password }));
		await service.query
			.updateTable('accounts')
			.set({ role: 'user' })
			.where('email', '<>', email)
			.execute();
		const fields = { confirmation: password };
		const refused = await sendForm(service, '/account/delete', fields, admin);
		expect(refused.status).toBe(400);
		expect(await refused.text()).toContain('The last administrator cannot be deleted.');
	});
});
