// Passwords in a browser: the form that is sent again after the password, and the button to show it.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { passMinutes } from '../../../core/test/support/time.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { logInAll, type Sessions, sendForm, sessionOf } from './support/lab.ts';

const newContext = useBrowser();

describeInBrowser('passwords in a browser', () => {
	let service: TestService;
	let sessions: Sessions;
	let address: string;

	beforeAll(async () => {
		service = await createTestService({ rateLimitFailedCredentials: 10_000 });
		sessions = await logInAll(service);
		address = await service.listen();
	});
	afterAll(() => service?.close());
	afterEach(() => {
		vi.useRealTimers();
	});

	test.each([true, false])(
		'a form is sent again once the password was entered, with JavaScript %s',
		{ tags: 'long' },
		async (javaScriptEnabled) => {
			const { email, password } = service.demo;
			sessions.admin = sessionOf(await sendForm(service, '/login', { email, password }));
			passMinutes(16);
			const context = await newContext({ baseURL: address, javaScriptEnabled });
			await context.addCookies(cookiesOf(sessions, 'admin', address));
			const page = await context.newPage();
			await page.goto('/keys/new');
			await page.getByLabel('Label').fill(`with ${javaScriptEnabled}`);
			await page.getByRole('button', { name: 'Create key' }).click();
			await page.getByText('Confirm that it is you').waitFor();
			await page.getByLabel('Password').fill('not this one');
			await page.getByRole('button', { name: 'Continue' }).click();
			await page.getByRole('alert').waitFor();
			await page.getByLabel('Password').fill(service.demo.password);
			await page.getByRole('button', { name: 'Continue' }).click();
			expect(await page.locator('#new-key').textContent()).toMatch(/^key_[0-9a-f]{48}$/);
			expect(await page.locator('h1').textContent()).toContain(`with ${javaScriptEnabled}`);
			await context.close();
		},
	);

	test('a password is shown by a button, and sent as a password', async () => {
		const context = await newContext({ baseURL: address });
		const page = await context.newPage();
		await page.goto('/login');
		const field = page.getByLabel('Password');
		const show = page.getByRole('button', { name: 'Show' });
		await field.fill('a long sentence');
		await show.click();
		expect(await field.getAttribute('type')).toBe('text');
		expect(await show.getAttribute('aria-pressed')).toBe('true');
		await show.click();
		expect(await field.getAttribute('type')).toBe('password');
		await show.click();
		const type = field.evaluate(
			(input) =>
				new Promise((resolve) => {
					const report = (event: Event) => {
						event.preventDefault();
						resolve(input.getAttribute('type'));
					};
					document.addEventListener('submit', report);
				}),
		);
		await page.getByLabel('Email address').fill('ada@example.com');
		await page.locator('main').getByRole('button', { name: 'Log in' }).click();
		expect(await type).toBe('password');
		await context.close();
	});

	test('without JavaScript there is no button that does nothing', async () => {
		const context = await newContext({ baseURL: address, javaScriptEnabled: false });
		const page = await context.newPage();
		await page.goto('/login');
		expect(await page.locator('[data-show]').isVisible()).toBe(false);
		await context.close();
	});
});
