// Mail for forgotten passwords and new addresses, through a real SMTP server.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { totp } from '../../../../core/test/support/totp.ts';
import { createTestService, type TestService } from '../../../src/testing.ts';
import { openPage, origin, sendForm, sessionOf, signUp } from '../../web/support/lab.ts';

let service: TestService;
let server: SMTPServer;
const inbox: { from: string; to: string; content: string }[] = [];

beforeAll(async () => {
	server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		async onData(stream, { envelope }, done) {
			const content = (await text(stream)).replaceAll('=\r\n', '').replaceAll('=3D', '=');
			const from = envelope.mailFrom ? envelope.mailFrom.address : '';
			inbox.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), content });
			done();
		},
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A listening TCP server has an address with a port.
	const { port } = server.server.address() as AddressInfo;
	service = await createTestService({
		smtpUrl: `smtp://127.0.0.1:${port}`,
		mailFrom: 'boards@example.com',
		rateLimitFailedCredentials: 100,
	});
});
afterAll(async () => {
	await service.close();
	await new Promise<void>((resolve) => server.close(resolve));
});

const linkTo = async (email: string, subject: string) => {
	const message = await vi.waitFor(
		() => {
			const found = inbox.findLast(({ to, content }) => to === email && content.includes(subject));
			if (!found) throw new Error('No message has arrived');
			return found;
		},
		{ timeout: 20_000 },
	);
	expect(message.from).toBe('boards@example.com');
	return new URL(/http\S+/.exec(message.content)?.[0] ?? '');
};

test('a new account gets a link to a page whose button verifies its address', async () => {
	const email = 'ann@example.com';
	const cookie = await signUp(service, email);
	const { pathname, search, searchParams } = await linkTo(email, 'Verify your email address');
	expect(await (await openPage(service, '/account', cookie)).text()).toContain('not verified yet');
	expect((await openPage(service, pathname + search, cookie)).status).toBe(200);
	expect(await (await openPage(service, '/account', cookie)).text()).toContain('not verified yet');
	const token = searchParams.get('token') ?? '';
	// The reader of the message may not be the one who signed up.
	expect((await openPage(service, pathname + search)).headers.get('location')).toMatch(/^\/login/);
	expect((await sendForm(service, '/verify', { token })).headers.get('location')).toMatch(
		/^\/login/,
	);
	const stranger = await signUp(service, 'stranger@example.com');
	expect((await sendForm(service, '/verify', { token }, stranger)).status).toBe(404);
	expect(await (await openPage(service, '/account', cookie)).text()).toContain('not verified yet');
	expect((await sendForm(service, '/verify', { token }, cookie)).status).toBe(303);
	const page = await (await openPage(service, '/account', cookie)).text();
	expect(page).not.toContain('not verified yet');
	expect((await sendForm(service, '/verify', { token }, cookie)).status).toBe(404);
});

test('a forgotten password can be replaced with a link from a message', async () => {
	const email = 'bob@example.com';
	await signUp(service, email);
	expect(await (await openPage(service, '/login')).text()).toContain('href="/forgot"');
	expect((await openPage(service, '/forgot')).status).toBe(200);
	expect((await sendForm(service, '/forgot', { email })).status).toBe(303);
	const { searchParams } = await linkTo(email, 'Choose a new password');
	const fields = { token: searchParams.get('token') ?? '', password: 'a longer sentence' };
	expect((await sendForm(service, '/password', fields)).status).toBe(303);
	const entered = await sendForm(service, '/login', { email, password: fields.password });
	expect(entered.status).toBe(303);
});

test('resetting the password of an account that was never verified revokes its keys', async () => {
	const email = 'taken@example.com';
	const squatter = await signUp(service, email, { paid: true });
	const created = await service.fetch(`${origin}/v1/auth/keys`, {
		method: 'POST',
		headers: { cookie: squatter, origin, 'content-type': 'application/json' },
		body: JSON.stringify({ label: 'kept' }),
	});
	const { key } = (await created.json()) as { key: string };
	const use = async () =>
		(
			await service.fetch(`${origin}/v1/leases`, {
				headers: { authorization: `Bearer ${key}` },
			})
		).status;
	expect(await use()).toBe(200);
	await sendForm(service, '/forgot', { email });
	const { searchParams } = await linkTo(email, 'Choose a new password');
	const fields = { token: searchParams.get('token') ?? '', password: 'a longer sentence' };
	expect((await sendForm(service, '/password', fields)).status).toBe(303);
	expect(await use()).toBe(401);
});

test('a link that verifies an address cannot set a password', async () => {
	const email = 'cat@example.com';
	await signUp(service, email);
	const { searchParams } = await linkTo(email, 'Verify your email address');
	const fields = { token: searchParams.get('token') ?? '', password: 'a longer sentence' };
	expect((await sendForm(service, '/password', fields)).status).toBe(404);
});

const messagesTo = (email: string, subject: string) =>
	inbox.filter(({ to, content }) => to === email && content.includes(`Subject: ${subject}`));

/** Signs up and, by the link in the message, verifies the address. */
const signUpVerified = async (email: string) => {
	const cookie = await signUp(service, email, { paid: true });
	const { searchParams } = await linkTo(email, 'Verify your email address');
	await sendForm(service, '/verify', { token: searchParams.get('token') ?? '' }, cookie);
	return cookie;
};

const createKey = (cookie: string, label: string) =>
	service.fetch(`${origin}/v1/auth/keys`, {
		method: 'POST',
		headers: { cookie, origin, 'content-type': 'application/json' },
		body: JSON.stringify({ label }),
	});

test('a verified address gets mail about a new key and a changed password', async () => {
	const email = 'dan@example.com';
	const cookie = await signUpVerified(email);
	const created = await (await createKey(cookie, 'by the API')).json();
	await sendForm(service, '/keys', { label: 'by the page', token: 'dan' }, cookie);
	await vi.waitFor(() => expect(messagesTo(email, 'New API key')).toHaveLength(2), 5_000);
	const texts = messagesTo(email, 'New API key')
		.map(({ content }) => content)
		.join();
	expect(texts).toContain('by the API');
	expect(texts).toContain('by the page');
	expect(texts).toContain('Address: in-process');
	expect(texts).not.toContain(created.key);
	const passwords = { current: 'a long sentence', next: 'another long sentence' };
	await sendForm(service, '/account/password', passwords, cookie);
	await vi.waitFor(
		() => expect(messagesTo(email, 'Your password was changed')).toHaveLength(1),
		20_000,
	);
});

test('mail is sent when two-factor authentication is turned on or off, and about new recovery codes', async () => {
	const email = 'ida@example.com';
	let cookie = await signUpVerified(email);
	const send = async (path: string, fields = {}) => {
		const response = await sendForm(service, `/account/two-factor${path}`, fields, cookie);
		cookie = sessionOf(response) || cookie;
		return response.text();
	};
	const codeIn = (text: string) => /[a-z2-7]{4}(-[a-z2-7]{2,4}){6}/.exec(text)?.[0] ?? 'none';
	const turnOn = async () => {
		const page = await send('', { confirmation: 'a long sentence' });
		const [, secret = ''] = /id="secret">([A-Z2-7]+)</.exec(page) ?? [];
		return { secret, code: codeIn(await send('', { code: totp(secret) })) };
	};
	const { secret, code: first } = await turnOn();
	const code = codeIn(await send('/codes', { confirmation: first }));
	await send('/off', { confirmation: code });
	// It is already off, so no message is sent.
	await send('/off', { confirmation: 'a long sentence' });
	const subjects = [
		'Two-factor authentication was turned on',
		'Your recovery codes were replaced',
		'Two-factor authentication was turned off',
	];
	const counts = () => subjects.map((subject) => messagesTo(email, subject).length);
	await vi.waitFor(() => expect(counts()).toEqual([1, 1, 1]), 20_000);
	const texts = inbox.map(({ content }) => content).join();
	expect(texts).toContain('Address: in-process');
	for (const secretText of [secret, first, code]) expect(texts).not.toContain(secretText);

	// An administrator can turn it off for somebody else.
	const { email: name, password } = service.demo;
	const admin = sessionOf(await sendForm(service, '/login', { email: name, password }));
	await turnOn();
	const found = await (await openPage(service, '/admin/accounts?q=ida', admin)).text();
	const [path = ''] = /\/admin\/accounts\/acc_\w+/.exec(found) ?? [];
	await sendForm(service, `${path}/reset-two-factor`, { confirmation: password }, admin);
	await vi.waitFor(() => expect(counts()).toEqual([2, 1, 2]), 20_000);
	const message = inbox.findLast(({ content }) => content.includes('was turned off'));
	expect(message?.content).toContain('By: an administrator');
});

test('an address that was never verified gets no messages, and others five of a kind an hour', async () => {
	const email = 'eve@example.com';
	const unverified = await signUp(service, 'fay@example.com', { paid: true });
	const cookie = await signUpVerified(email);
	for (const label of ['1', '2', '3', '4', '5', '6']) {
		await createKey(unverified, label);
		expect((await createKey(cookie, label)).status).toBe(201);
	}
	await vi.waitFor(() => expect(messagesTo(email, 'New API key')).toHaveLength(5), 5_000);
	await sendForm(service, '/keys', { label: 'seventh', token: 'last' }, cookie);
	// A later message of another kind has arrived, so the earlier ones would have, too.
	const passwords = { current: 'a long sentence', next: 'another long sentence' };
	await sendForm(service, '/account/password', passwords, cookie);
	await vi.waitFor(
		() => expect(messagesTo(email, 'Your password was changed')).toHaveLength(1),
		20_000,
	);
	expect(messagesTo(email, 'New API key')).toHaveLength(5);
	expect(messagesTo('fay@example.com', 'New API key')).toEqual([]);
});

test('knowing an address is not enough to flood it with links', async () => {
	const email = 'gus@example.com';
	const cookie = await signUp(service, email);
	for (let count = 0; count < 7; count += 1) {
		expect((await sendForm(service, '/forgot', { email })).status).toBe(303);
		expect((await sendForm(service, '/account/verification', {}, cookie)).status).toBe(303);
	}
	const counts = () =>
		['Choose a new password', 'Verify your email address'].map(
			(subject) => messagesTo(email, subject).length,
		);
	await vi.waitFor(() => expect(counts()).toEqual([5, 5]), 20_000);
	// A message that was requested later has arrived, so the others would have, too.
	await signUp(service, 'hal@example.com');
	await linkTo('hal@example.com', 'Verify your email address');
	expect(counts()).toEqual([5, 5]);
});

test('an unknown address gets the same response and no message', async () => {
	const known = await sendForm(service, '/forgot', { email: 'bob@example.com' });
	const unknown = await sendForm(service, '/forgot', { email: 'nobody@example.com' });
	const seen = ({ status, headers }: Response) => [status, headers.get('location')];
	expect(seen(unknown)).toEqual(seen(known));
	await service.close();
	expect(inbox.filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
	service = await createTestService();
});

test('without a mail server there is no page for a forgotten password', async () => {
	const silent = await createTestService();
	expect((await openPage(silent, '/forgot')).status).toBe(404);
	expect(await (await openPage(silent, '/login')).text()).not.toContain('/forgot');
	await silent.close();
});
