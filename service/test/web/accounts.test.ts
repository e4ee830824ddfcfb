// Signing up, logging in and out, and the password, as forms.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { openPage, sendForm, sessionOf, signUp, signUpVerified } from './support/lab.ts';

let service: TestService;
beforeAll(async () => {
	service = await createTestService({ rateLimitFailedCredentials: 100 });
});
afterAll(() => service.close());

const password = 'a long sentence';

test('signing up logs in, shows a welcome once, and starts on the free tier', async () => {
	const answer = await sendForm(service, '/signup', { email: 'new@example.com', password });
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/boards']);
	const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
	const page = await openPage(service, '/account', cookies.join('; '));
	const text = await page.text();
	expect(text).toContain('Welcome. Your account is ready');
	expect(text).toContain('Free tier');
	expect(page.headers.getSetCookie().join()).toMatch(/board_access\.notice=;.*Max-Age=0/);
});

test('a rejected sign-up keeps the email address but not the password, and explains both errors', async () => {
	const answer = await sendForm(service, '/signup', { email: 'x"<b>@nowhere', password: 'short' });
	const text = await answer.text();
	expect(answer.status).toBe(400);
	expect(text).toContain('value="x&quot;&lt;b&gt;@nowhere"');
	expect(text).not.toContain('short"');
	expect(text).toMatch(/role="alert" tabindex="-1" autofocus/);
	expect(text).toContain('<a href="#email">Email address is not valid.</a>');
	expect(text).toContain('<a href="#password">Use a password of 8 to 128 characters.</a>');
	expect(text).toMatch(/id="password"[^>]*aria-invalid="true"/);
	expect(text).toMatch(/id="password"[^>]*aria-describedby="password-help password-error"/);
});

test('a rejected code is not shown again', async () => {
	const cookie = await signUpVerified(service, 'codes@example.com');
	const path = '/account/two-factor';
	const confirmed = await sendForm(service, path, { confirmation: password }, cookie);
	const answer = await sendForm(service, path, { code: 'wrong-code' }, sessionOf(confirmed));
	const text = await answer.text();
	expect(text).toContain('The code is not correct');
	expect(text).not.toContain('wrong-code');
});

test('two-factor authentication is offered once the address is verified', async () => {
	const cookie = await signUp(service, 'unverified@example.com');
	const account = await (await openPage(service, '/account', cookie)).text();
	expect(account).toContain('Verify your email address first.');
	expect(account).not.toContain('href="/account/two-factor"');
	for (const sent of [
		openPage(service, '/account/two-factor', cookie),
		sendForm(service, '/account/two-factor', { confirmation: password }, cookie),
	]) {
		const page = await sent;
		expect(page.status).toBe(400);
		expect(await page.text()).toContain('needs a verified email address');
	}
});

test('a failed login does not reveal whether the email address exists', async () => {
	await signUp(service, 'known@example.com');
	const alertOf = async (email: string) => {
		const answer = await sendForm(service, '/login', { email, password: 'not this one' });
		expect(answer.status).toBe(400);
		return /role="alert".*?<\/div>/s.exec(await answer.text())?.[0];
	};
	expect(await alertOf('known@example.com')).toBe(await alertOf('unknown@example.com'));
});

test('too many wrong passwords show the form again with status 429', async () => {
	const strict = await createTestService({ rateLimitFailedCredentials: 2 });
	const attempt = () =>
		sendForm(strict, '/login', { email: 'ann@example.com', password: 'not this one' });
	await attempt();
	await attempt();
	const answer = await attempt();
	expect(answer.status).toBe(429);
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
	expect(await answer.text()).toContain('value="ann@example.com"');
	await strict.close();
});

test('logging out ends the session', async () => {
	const cookie = await signUp(service, 'leaving@example.com');
	const answer = await sendForm(service, '/logout', {}, cookie);
	expect(answer.headers.get('location')).toBe('/login');
	expect((await openPage(service, '/account', cookie)).status).toBe(303);
});

test('a changed password ends the other sessions', async () => {
	const email = 'change@example.com';
	const other = await signUp(service, email);
	const cookie = sessionOf(await sendForm(service, '/login', { email, password }));
	const fields = { current: password, next: 'another sentence' };
	const answer = await sendForm(service, '/account/password', fields, cookie);
	expect(answer.headers.get('location')).toBe('/account');
	expect((await openPage(service, '/account', other)).status).toBe(303);
	const again = await sendForm(service, '/login', { email, password: fields.next });
	expect(again.status).toBe(303);
});

test('a common password is rejected with the reason', async () => {
	const fields = { email: 'common@example.com', password: 'password123' };
	const answer = await sendForm(service, '/signup', fields);
	expect(answer.status).toBe(400);
	expect(await answer.text()).toContain('This password is too common. Use another one.');
});

test('a password change with the wrong password shows the error next to the field', async () => {
	const cookie = await signUp(service, 'wrong@example.com');
	const fields = { current: 'not this one', next: 'another sentence' };
	const answer = await sendForm(service, '/account/password', fields, cookie);
	expect(answer.status).toBe(400);
	expect(await answer.text()).toContain('The current password is not correct.');
});

test('a link from the operator sets a new password, once', { tags: 'long' }, async () => {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-test-'));
	const database = join(folder, 'service.db');
	const linked = await createTestService({ database });
	const { email } = linked.demo;
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[inject('main'), 'account', 'reset-link', email],
		{ env: { PATH: process.env.PATH ?? '', DATABASE_URL: database, WEB_URL: 'http://localhost' } },
	);
	const { pathname, search, searchParams } = new URL(stdout.trim());
	const page = await openPage(linked, pathname + search);
	expect(page.status).toBe(200);
	expect(await page.text()).toContain(email);
	const token = searchParams.get('token') ?? '';
	const short = await sendForm(linked, '/password', { token, password: 'short' });
	expect(short.status).toBe(400);
	expect(await short.text()).toContain('Use a password of 8 to 128 characters.');
	const set = await sendForm(linked, '/password', { token, password });
	expect([set.status, set.headers.get('location')]).toEqual([303, '/login']);
	expect((await sendForm(linked, '/login', { email, password })).status).toBe(303);
	expect((await sendForm(linked, '/password', { token, password })).status).toBe(404);
	expect((await openPage(linked, pathname + search)).status).toBe(404);
	await linked.close();
	await rm(folder, { recursive: true });
});

test.each(['invite', 'closed'] as const)(
	'with SIGNUP=%s no page offers to sign up, the form is rejected, and the log-in says whom to ask',
	async (signup) => {
		const lab = await createTestService({ signup, contact: 'lab@example.com' });
		for (const path of ['/login', '/nowhere']) {
			expect(await (await openPage(lab, path)).text()).not.toContain('/signup');
		}
		expect((await openPage(lab, '/signup')).headers.get('location')).toMatch(/^\/login/);
		const sent = await sendForm(lab, '/signup', { email: 'a@example.com', password });
		expect(sent.status).toBe(400);
		expect(await (await openPage(lab, '/login')).text()).toMatch(
			/<a href="mailto:lab@example\.com">.*<\/a> for an account/,
		);
		await lab.close();
	},
);
