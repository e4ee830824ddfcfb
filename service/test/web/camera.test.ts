// @module-tag long
// The picture of a board by its camera, on the page of the lease.
import type { BrowserContext } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { boardId, openFilmedBoard } from '../support/filmed-board.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';

const newContext = useBrowser();
/** Closed before the service, which waits for its streams. */
let context: BrowserContext | undefined;
afterEach(() => context?.close());

const patient = { timeout: 15_000 };

/** A PNG image of one pixel. */
const pixel = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

describeInBrowser('the picture of a board', () => {
	async function openTab(options: Parameters<typeof newContext>[0] = {}) {
		const lab = await openFilmedBoard();
		const lease = await lab.use('free');
		const baseURL = await lab.service.listen();
		context = await newContext({ baseURL, ...options });
		await context.addCookies(cookiesOf(lab.sessions, 'free', baseURL));
		const page = await context.newPage();
		const picture = page.locator('[data-camera]');
		const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
		return { ...lab, lease, page, picture, width };
	}

	test('follows the camera, and says when it sends none', async () => {
		const { agent, lease, page, picture, width, send } = await openTab();
		await page.goto(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms, patient).toBeGreaterThan(0);
		const state = page.locator('[data-camera-state]');
		/** Sends it until the page shows it: a picture that is not replaced is soon too old. */
		const film = (read: () => Promise<unknown>) =>
			expect.poll(() => send(lease, pixel).then(read), patient);
		await film(width).toBe(1);
		await film(() => state.textContent()).toBe('Live, by its camera');
		const shown = await picture.getAttribute('src');
		await film(() => picture.getAttribute('src')).not.toBe(shown);

		await page.route('**/picture?*', (route) => route.fulfill({ status: 404 }));
		await expect.poll(() => state.textContent(), patient).toMatch(/^No picture since/);
	});

	test('is a still without JavaScript', async () => {
		const { agent, lease, page, width, send } = await openTab({ javaScriptEnabled: false });
		const opening = page.goto(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms, patient).toBeGreaterThan(0);
		await send(lease, pixel);
		await opening;
		expect(await page.locator('.live-board noscript p').isVisible()).toBe(true);
		await expect.poll(width, patient).toBe(1);
	});
});
