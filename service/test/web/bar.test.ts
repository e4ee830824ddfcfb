// The bar at the top of every page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { logInAll, openPage, type Role, type Sessions } from './support/lab.ts';

const newContext = useBrowser();
let service: TestService;
let sessions: Sessions;
beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
});
afterAll(() => service.close());

const open = async (role: Role, path: string) =>
	(await openPage(service, path, sessions[role])).text();

test('members see their credits, and only administrators see "Operations"', async () => {
	const member = await open('paid', '/boards');
	expect(member).toMatch(/<a href="\/credits"[^>]*><span class="number">100 credits</);
	expect(member).not.toContain('Operations');
	expect(await open('admin', '/boards')).toContain('Operations</a>');
});

test('the pages of operations have a second row, which names the open page', async () => {
	expect(await open('admin', '/boards')).not.toContain('aria-label="Operations"');
	const page = await open('admin', '/admin/boards/new');
	expect(page).toMatch(/aria-label="Operations">.*href="\/admin\/boards" aria-current="page"/s);
	expect(page).toMatch(/class="to-operations"[^>]*aria-current="true"/);
	expect(page.match(/aria-current/g)).toHaveLength(2);
});

describeInBrowser('in a browser', () => {
	const visit = async (role: Role, path: string, width: number) => {
		const baseURL = await service.listen();
		const viewport = { width, height: 800 };
		const context = await newContext({ baseURL, viewport, javaScriptEnabled: false });
		await context.addCookies(cookiesOf(sessions, role, baseURL));
		const page = await context.newPage();
		await page.goto(path);
		return page;
	};

	test('the rows are 43 and 36 pixels high', async () => {
		const page = await visit('admin', '/admin/agents', 1024);
		expect((await page.locator('.bar').boundingBox())?.height).toBeCloseTo(43, 1);
		expect((await page.locator('.operations').boundingBox())?.height).toBeCloseTo(36, 1);
		await page.context().close();
	});

	test('the footer is as wide as the content of the page', { tags: 'long' }, async () => {
		const page = await visit('admin', '/boards', 1440);
		const left = (selector: string) =>
			page.locator(selector).evaluate((element) => {
				const { paddingInlineStart } = getComputedStyle(element);
				return element.getBoundingClientRect().left + Number.parseFloat(paddingInlineStart);
			});
		for (const path of ['/boards', '/keys', '/admin/overview']) {
			await page.goto(path);
			for (const width of [1440, 2560, 390]) {
				await page.setViewportSize({ width, height: 800 });
				expect(await left('.footer')).toBeCloseTo(await left('main'));
			}
		}
		await page.context().close();
	});

	test('on a phone the links are in a row of their own, which scrolls', async () => {
		const page = await visit('admin', '/boards', 320);
		await page.getByRole('link', { name: 'Operations' }).click();
		await page.waitForURL('**/admin/overview');
		const brand = await page.locator('.brand').boundingBox();
		const places = await page.locator('.places').boundingBox();
		expect(places?.y).toBeGreaterThanOrEqual((brand?.y ?? 0) + (brand?.height ?? 0));
		await page.context().close();
	});
});
