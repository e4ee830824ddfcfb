// Every page as it is seen: no accessibility violation in light or dark, and nothing that makes a
// narrow page scroll sideways.
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { enterAll, fillKeys, type Sessions } from './support/lab.ts';
import { sights } from './support/sights.ts';

const newContext = useBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describeInBrowser('every page', () => {
	let service: TestService;
	let sessions: Sessions;
	let address: string;

	beforeAll(async () => {
		service = await createTestService({ rateLimitFailedCredentials: 10_000 });
		sessions = await enterAll(service);
		await fillKeys(service, sessions.paid);
		address = await service.listen();
	});
	afterAll(() => service?.close());

	const violationsOf = (page: Page) =>
		page.evaluate('axe.run().then(({ violations }) => violations)');

	test('a violation would be seen', async () => {
		const page = await (await newContext({})).newPage();
		await page.setContent('<img src="data:,">');
		await page.addScriptTag({ path: axe });
		expect(await violationsOf(page)).toContainEqual(expect.objectContaining({ id: 'image-alt' }));
		await page.context().close();
	});

	test.each(sights)('$name', async ({ role, open }) => {
		const viewport = { width: 360, height: 780 };
		// The checks are put into the page by the test, which the page itself rightly refuses.
		const context = await newContext({ baseURL: address, viewport, bypassCSP: true });
		await context.addCookies(cookiesOf(sessions, role, address));
		const page = await context.newPage();
		await open(page);
		const sideways = await page.evaluate(
			() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
		);
		expect(sideways).toBe(0);
		await page.addScriptTag({ path: axe });
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			const violations = await violationsOf(page);
			expect([colorScheme, violations]).toEqual([colorScheme, []]);
		}
		await page.setViewportSize({ width: 1280, height: 800 });
		expect(await violationsOf(page)).toEqual([]);
		await context.close();
	});
});
