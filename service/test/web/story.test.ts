// From sign-up to a working key and its revocation, in a real browser.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser, serve, useBrowser } from './support/browser-tests.ts';

const newContext = useBrowser();
let service: Awaited<ReturnType<typeof serve>>;
let context: BrowserContext;
let page: Page;
let visitors = 0;

const start = async (javaScriptEnabled: boolean) => {
	context = await newContext({ baseURL: service.webUrl, javaScriptEnabled });
	page = await context.newPage();
};

const click = (name: string | RegExp) =>
	page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();

const call = async (key: string) => {
	const headers = { authorization: `Bearer ${key}` };
	const answer = await fetch(`${service.baseUrl}/v1/boards`, { headers });
	return answer.status;
};

const signUp = async () => {
	visitors += 1;
	await page.goto('/');
	await click('Sign up');
	await page.getByLabel('Email address').fill(`visitor-${visitors}@example.com`);
	await page.getByLabel('Password').fill('a long sentence');
	await page.locator('main').getByRole('button', { name: 'Sign up' }).click();
	await page.waitForURL('**/boards');
};

/** From the empty list over the top-up to the page that shows the key. */
const createKey = async (label: string) => {
	await page.getByRole('navigation', { name: 'Main' }).getByText('API keys').click();
	await click('Create your first key');
	await page.getByText('Creating keys needs the paid tier').waitFor();
	await click('Top up any amount of credits');
	await page.getByText('25 credits').click();
	await click('Continue');
	await click('Top up');
	await page.getByText('your account is on the paid tier').waitFor();
	await click('create API keys');
	await page.getByLabel('Label').fill(label);
	await click('Create key');
	const key = (await page.locator('#new-key').textContent()) ?? '';
	expect(key).toMatch(/^key_[0-9a-f]{48}$/);
	return key;
};

describeInBrowser('from the sign-up to a revoked key', () => {
	const complaints: string[] = [];

	beforeAll(async () => {
		service = await serve();
	});
	afterAll(() => service?.stop());
	beforeEach(() => complaints.splice(0));
	afterEach(() => context.close());

	const listen = () => {
		page.on('pageerror', (error) => complaints.push(error.message));
		page.on('console', (message) => {
			if (message.type() === 'error') complaints.push(message.text());
		});
	};

	test('with JavaScript', async () => {
		await start(true);
		listen();
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		await signUp();
		const key = await createKey('nightly “tests”');
		await click('Copy the commands');
		await page.getByText('Copied').waitFor();
		const copied = await page.evaluate(() => navigator.clipboard.readText());
		expect(copied).toContain(`export SERVICE_API_KEY=${key}`);
		expect(await call(key)).toBe(200);

		await page.reload();
		expect(new URL(page.url()).pathname).toBe('/keys');
		expect(await page.content()).not.toContain(key);
		expect(await page.locator('tbody tr').count()).toBe(1);
		await page.goBack();
		expect(await page.content()).not.toContain(key);

		await page.goto('/keys');
		await click('Revoke nightly “tests”');
		await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
		expect(await page.content()).toContain(`${key.slice(0, 8)}…${key.slice(-4)}`);
		await click('Cancel');
		expect(await call(key)).toBe(200);
		await click('Revoke nightly “tests”');
		await click('Revoke key');
		await page.getByText('It no longer works').waitFor();
		expect(await call(key)).toBe(401);
		expect(complaints).toEqual([]);
	});

	test('without JavaScript', { tags: 'long' }, async () => {
		await start(false);
		await signUp();
		const key = await createKey('bench');
		expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
		expect(await call(key)).toBe(200);

		// A reload sends the form again, which must not create a second key.
		await page.reload();
		expect(new URL(page.url()).pathname).toBe('/keys');
		await page.getByText('It cannot be shown again').waitFor();
		expect(await page.content()).not.toContain(key);
		expect(await page.locator('tbody tr').count()).toBe(1);

		await click('Revoke bench');
		await page.getByText('Revoke this key?').waitFor();
		await click('Revoke key');
		await page.getByText('It no longer works').waitFor();
		expect(await call(key)).toBe(401);

		await page.locator('.menu summary').click();
		await click('Log out');
		await page.getByText('You are logged out').waitFor();
		await page.goto('/keys');
		expect(new URL(page.url()).pathname).toBe('/login');
	});

	test('the tabs of the examples work without JavaScript', async () => {
		await start(false);
		await signUp();
		await page.goto('/boards?status=available');
		await page.getByText('The same request from code').click();
		const command = page.getByText('board-access boards list --status available');
		expect(await command.isVisible()).toBe(false);
		await page.getByText('Command line').click();
		expect(await command.isVisible()).toBe(true);
	});

	test.each([true, false])(
		'the focus moves to the error message (JavaScript: %s)',
		async (scripts) => {
			await start(scripts);
			await page.goto('/login');
			await page.getByLabel('Email address').fill('nobody@example.com');
			await page.getByLabel('Password').fill('not this one');
			await page.locator('main').getByRole('button', { name: 'Log in' }).click();
			await page.getByText('or the password is incorrect').waitFor();
			await expect.poll(() => page.locator(':focus').getAttribute('role')).toBe('alert');
			expect(await page.getByLabel('Email address').inputValue()).toBe('nobody@example.com');
		},
	);

	test('typing filters the boards and updates the address', async () => {
		await start(true);
		listen();
		await signUp();
		const search = page.getByLabel('Search boards');
		await search.pressSequentially('thread');
		await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
		expect(new URL(page.url()).search).toBe('?q=thread');
		expect(await search.evaluate((input) => input === document.activeElement)).toBe(true);
		await page.getByLabel('Type', { exact: true }).selectOption('esp32-s3');
		await page.getByText('No board matches').waitFor();
		await page.reload();
		expect(await search.inputValue()).toBe('thread');
		expect(complaints).toEqual([]);
	});

	test('leaving the page of a new key before copying it asks for confirmation', {
		tags: 'long',
	}, async () => {
		await start(true);
		await signUp();
		await createKey('uncopied');
		const asked: string[] = [];
		page.on('dialog', (dialog) => {
			asked.push(dialog.type());
			return dialog.dismiss();
		});
		await page.getByRole('link', { name: 'Boards', exact: true }).click();
		await expect.poll(() => asked).toEqual(['beforeunload']);
		await click('I have stored the key');
		await page.waitForURL('**/keys');
		expect(asked).toHaveLength(1);
	});

	test('a lost connection keeps what is typed, and the list comes back', {
		tags: 'long',
	}, async () => {
		await start(true);
		await signUp();
		const search = page.getByLabel('Search boards');
		await page.route('**/boards?*', (route) => route.abort());
		await search.pressSequentially('thread');
		await page.getByText('No connection. Trying again').waitFor();
		expect(await search.inputValue()).toBe('thread');
		await page.unroute('**/boards?*');
		await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
		expect(await page.getByText('No connection').count()).toBe(0);
	});

	test('the list of boards refreshes itself and keeps what is open', async () => {
		await start(true);
		await page.clock.install();
		await signUp();
		await page.getByText('The same request from code').click();
		const readAt = () => page.locator('.as-of time').getAttribute('datetime');
		const before = await readAt();
		await page.clock.fastForward(16_000);
		await expect.poll(readAt).not.toBe(before);
		expect(await page.locator('.same-request').getAttribute('open')).not.toBeNull();
	});

	test('every page works with the keyboard', { tags: 'long' }, async () => {
		await start(true);
		await signUp();
		await page.goto('/boards');
		await page.keyboard.press('Tab');
		expect(await page.locator(':focus').textContent()).toContain('Skip to content');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Tab');
		expect(await page.locator(':focus').getAttribute('id')).toBe('q');
		await page.locator('.menu summary').focus();
		await page.keyboard.press('Enter');
		expect(await page.getByText('Account and password').isVisible()).toBe(true);
		await page.keyboard.press('Escape');
		expect(await page.getByText('Account and password').isVisible()).toBe(false);
	});
});
