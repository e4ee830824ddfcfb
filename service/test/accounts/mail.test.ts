// Mail for forgotten passwords and new addresses, by a real SMTP server.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { openPage, sendForm, signUp } from '../web/support/lab.ts';

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
	expect((await openPage(service, pathname + search)).status).toBe(200);
	expect(await (await openPage(service, '/account', cookie)).text()).toContain('not verified yet');
	const token = searchParams.get('token') ?? '';
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

test('a link that verifies an address cannot set a password', async () => {
	const email = 'cat@example.com';
	await signUp(service, email);
	const { searchParams } = await linkTo(email, 'Verify your email address');
	const fields = { token: searchParams.get('token') ?? '', password: 'a longer sentence' };
	expect((await sendForm(service, '/password', fields)).status).toBe(404);
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
