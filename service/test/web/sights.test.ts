// @module-tag long
// Every page in a browser: no accessibility violation in light colors on a narrow screen, in dark ones on a
// wide screen, or in forced ones, and no sideways scrolling.
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { furnishLab, keepSession, type Sessions } from './support/lab.ts';
import { sights } from './support/sights.ts';

const newContext = useBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describeInBrowser('each page', () => {
	let service: TestService;
	let sessions: Sessions;
	let address: string;

	beforeAll(async () => {
		service = await createTestService({ rateLimitFailedCredentials: 10_000 });
		sessions = await furnishLab(service);
		address = await service.listen();
	});
	afterAll(() => service?.close());

	const violationsOf = (page: Page, rules?: string[]) => {
		const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
		return page.evaluate(
			`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
		);
	};

	/** Chromium reports the page's fill of a text where it paints the forced color. */
	const reportForcedText = (page: Page) =>
		page.evaluate(() => {
			const { getPropertyValue } = CSSStyleDeclaration.prototype;
			CSSStyleDeclaration.prototype.getPropertyValue = function (name) {
				return getPropertyValue.call(this, name === '-webkit-text-fill-color' ? 'color' : name);
			};
		});

	test('axe reports a violation', async () => {
		const page = await (await newContext({})).newPage();
		await page.setContent('<img src="data:,">');
		await page.addScriptTag({ path: axe });
		expect(await violationsOf(page)).toContainEqual(expect.objectContaining({ id: 'image-alt' }));
		await page.context().close();
	});

	test.each(sights)('$name', async ({ role, open }) => {
		const viewport = { width: 360, height: 780 };
		// The test injects axe, which the policy of the page forbids.
		const context = await newContext({ baseURL: address, viewport, bypassCSP: true });
		await context.addCookies(cookiesOf(sessions, role, address));
		const page = await context.newPage();
		await open(page);
		keepSession(sessions, role, await context.cookies());
		const sideways = await page.evaluate(
			() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
		);
		expect(sideways).toBe(0);
		await page.addScriptTag({ path: axe });
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		expect(await violationsOf(page)).toEqual([]);
		await page.setViewportSize({ width: 1280, height: 800 });
		await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
		expect(await violationsOf(page)).toEqual([]);
		await reportForcedText(page);
		await page.emulateMedia({ forcedColors: 'active' });
		expect(await violationsOf(page, ['color-contrast'])).toEqual([]);
		await context.close();
	});
});
