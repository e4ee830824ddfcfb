// The palette and the shortcuts, in a browser.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { logInAll, type Sessions, sendForm } from './support/lab.ts';

const newContext = useBrowser();
const patient = { timeout: 15_000 };

describeInBrowser('the palette', () => {
	let service: TestService;
	let sessions: Sessions;
	let address: string;
	let context: BrowserContext;
	let page: Page;
	let lease: string;

	beforeAll(async () => {
		service = await createTestService();
		sessions = await logInAll(service);
		address = await service.listen();
		const used = await sendForm(
			service,
			'/boards/brd_esp32-s3-01/use',
			{ minutes: '10' },
			sessions.free,
		);
		lease = used.headers.get('location') ?? '';
	});
	afterAll(() => service?.close());
	beforeEach(async () => {
		context = await newContext({ baseURL: address });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		page = await context.newPage();
	});
	afterEach(() => context.close());

	const dialog = () => page.locator('dialog');
	const options = () => dialog().getByRole('option');
	const openPalette = async () => {
		await page.keyboard.press('Control+k');
		await dialog().waitFor(patient);
	};

	test('finds a page, and Enter opens it', async () => {
		await page.goto('/boards');
		await openPalette();
		await page.keyboard.type('api keys');
		expect(await options().first().textContent()).toBe('API keys Page');
		await page.keyboard.press('Enter');
		await page.waitForURL('**/keys', patient);
	});

	test('finds a board by the search of the service, and the arrows choose it', async () => {
		await page.goto('/keys');
		await openPalette();
		await page.keyboard.type('esp32-c6');
		await expect.poll(() => options().count(), patient).toBe(2);
		await page.keyboard.press('ArrowDown');
		expect(await options().nth(1).getAttribute('aria-selected')).toBe('true');
		await page.keyboard.press('Enter');
		await page.waitForURL('**/boards/brd_esp32-c6-02', patient);
	});

	test('finds the leases of the visitor', async () => {
		await page.goto('/keys');
		await openPalette();
		await page.keyboard.type('lease esp32');
		await expect.poll(() => options().first().textContent(), patient).toMatch(/ Lease$/);
		await page.keyboard.press('Enter');
		await page.waitForURL(`**${lease}`, patient);
	});

	test('focuses a button of the lease and never presses it', async () => {
		await page.goto(lease);
		await openPalette();
		await page.keyboard.type('release');
		expect(await options().count()).toBe(1);
		await page.keyboard.press('Enter');
		await dialog().waitFor({ state: 'detached', ...patient });
		expect(
			await page.locator('.release button').evaluate((it) => it === document.activeElement),
		).toBe(true);
		expect(new URL(page.url()).pathname).toBe(lease);
	});

	test('opens neither in a field nor twice, and Escape closes it', async () => {
		await page.goto('/boards');
		await page.keyboard.press('/');
		const search = page.locator('main input[type=search]').first();
		await expect
			.poll(() => search.evaluate((it) => it === document.activeElement), patient)
			.toBe(true);
		await page.keyboard.type('?');
		await page.keyboard.press('Control+k');
		expect(await search.inputValue()).toBe('?');
		expect(await dialog().count()).toBe(0);
		await page.locator('h1').click();
		await openPalette();
		await page.keyboard.press('Control+k');
		expect(await dialog().count()).toBe(1);
		await page.keyboard.press('Escape');
		await dialog().waitFor({ state: 'detached', ...patient });
	});

	test('the list of shortcuts turns the single keys off', async () => {
		await page.goto('/boards');
		await page.keyboard.press('?');
		await dialog().waitFor(patient);
		await page.getByLabel('Use / and ?').uncheck();
		await page.getByRole('button', { name: 'Close' }).click();
		await page.keyboard.press('?');
		await openPalette();
		expect(await page.locator('dialog.palette').count()).toBe(1);
	});
});
