// Error pages keep the navigation and offer a next step.
import { errorStatuses } from 'board-access-contract';
import { expect, test } from 'vitest';
import { assemble } from '../../src/service.ts';
import { createTestService } from '../../src/testing.ts';
import { openPage, origin, sendForm, signUp } from './support/lab.ts';

test('an error page keeps the navigation and the account', async () => {
	const service = await createTestService();
	const cookie = await signUp(service, 'lost@example.com');
	const text = await (await openPage(service, '/nowhere', cookie)).text();
	expect(text).toContain('Page not found');
	expect(text).toContain('href="/keys"');
	expect(text).toContain('lost@example.com');
	expect(await (await openPage(service, '/nowhere')).text()).toContain('href="/login"');
	await service.close();
});

test('an error page says what happened and what to do', async () => {
	const service = await createTestService();
	const text = await (await openPage(service, '/password?token=old')).text();
	expect(text).toContain('This link has expired or was already used. Ask for a new one.');
	await service.close();
});

test('an error page is sent even if the accounts cannot be read', async () => {
	const service = await assemble({ demo: true });
	service.services.cookies.read = () => {
		throw new Error('broken');
	};
	const headers = { accept: 'text/html', cookie: 'board_access.session_token=a.b' };
	const response = await service.app.request(`${origin}/nowhere`, { headers }, {});
	expect(response.status).toBe(404);
	expect(response.headers.get('x-request-id')).toBeTruthy();
	expect(await response.text()).toContain('Page not found');
	await service.close();
});

test('too many requests: the page shows the seconds to wait and retries, and the log-out works', async () => {
	const service = await createTestService({ rateLimitPerAccount: 3 });
	const cookie = await signUp(service, 'eager@example.com');
	let response = await openPage(service, '/boards?q=esp32', cookie);
	while (response.status === 200) response = await openPage(service, '/boards?q=esp32', cookie);
	const text = await response.text();
	expect(response.status).toBe(429);
	expect(text).toMatch(/try again in \d+ s\./);
	expect(text).toContain('<a class="button primary" href="/boards?q=esp32">Retry</a>');
	expect((await sendForm(service, '/logout', {}, cookie)).status).toBe(303);
	await service.close();
});

test('an error after a form leads back to the form', async () => {
	const service = await createTestService();
	const cookie = await signUp(service, 'large@example.com', { paid: true });
	const response = await service.fetch(`${origin}/keys`, {
		method: 'POST',
		body: new URLSearchParams({ label: 'x'.repeat(70_000) }),
		headers: { origin, cookie, accept: 'text/html', referer: `${origin}/keys/new` },
	});
	expect(response.status).toBe(413);
	expect(await response.text()).toContain('href="/keys/new">Go back</a>');
	const elsewhere = await sendForm(service, '/keys/revoke', { id: 'none' }, cookie);
	expect(await elsewhere.text()).toContain('href="/boards">Go to the boards</a>');
	await service.close();
});

test('the reference explains every error code and links to it', async () => {
	const service = await createTestService({ baseUrl: 'https://boards.example.com' });
	const text = await (await openPage(service, '/docs')).text();
	for (const code of Object.keys(errorStatuses)) expect(text).toContain(`id="error-${code}"`);
	expect(text).toContain('href="#createKey"');
	expect(text).toContain('id="createKey"');
	expect(text).toContain('https://boards.example.com/v1/auth/keys');
	expect(text).toContain('-d &#39;{&quot;label&quot;:&quot;ci&quot;}&#39;');
	expect(text).toContain('data-copy="createKey-curl"');
	await service.close();
});

test.each(['/account/password', '/boards/brd_arduino-uno-01/use'])(
	'the address of the form %s, opened again, says so',
	async (path) => {
		const service = await createTestService();
		const cookie = await signUp(service, 'again@example.com');
		const response = await openPage(service, path, cookie);
		expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
		expect(await response.text()).toContain('open its page again');
		const asProgram = await service.fetch(origin + path, { headers: { cookie } });
		expect(asProgram.status).toBe(405);
		await service.close();
	},
);

test('credits that are missing are a link to the top-up, next to the reason', async () => {
	const service = await createTestService();
	const cookie = await signUp(service, 'poor@example.com');
	const use = '/boards/brd_arduino-uno-02/use';
	const response = await sendForm(service, use, { minutes: '60' }, cookie);
	expect(response.status).toBe(402);
	expect(await response.text()).toMatch(
		/you have 0 available\. <a href="http:[^"]*\/credits">Top up credits<\/a>/,
	);
	await service.close();
});
