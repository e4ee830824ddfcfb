// The page of a lease that waits, and what it becomes when its board is ready.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import {
	logInAll,
	openPage,
	origin,
	type Sessions,
	sendForm,
	sendJson,
	signUp,
} from './support/lab.ts';

const newContext = useBrowser();
const patient = { timeout: 15_000 };
const board = { id: 'brd_queue', name: 'queue-1', board_type: 'queue', credits_per_minute: 2 };
let service: TestService;
let sessions: Sessions;
/** Others who use the board and wait for it. */
let other: string;
let rival: string;
let held: string;
let first: string;
let own: string;

beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
	await sendJson(service, 'PUT /admin/boards', { boards: [board] }, sessions.admin);
	other = await signUp(service, 'other@example.com', { paid: true });
	rival = await signUp(service, 'rival@example.com', { paid: true });
});
afterAll(() => service?.close());

async function send(method: string, path: string, cookie: string, body?: object) {
	const response = await service.fetch(`${origin}/v1${path}`, {
		method,
		headers: { cookie, origin, 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
	return response.json();
}

async function lease(cookie: string, minutes: number, label?: string) {
	const wanted = { board_type: board.board_type, minutes, wait_seconds: 3600, label };
	return (await send('POST', '/leases', cookie, wanted)).id as string; // a created lease has one
}

/** One lease has the board, a second one is next, and the visitor waits after it. */
beforeEach(async () => {
	for (const cookie of [other, rival, sessions.paid]) {
		for (const { id } of (await send('GET', '/leases', cookie)).data) {
			await send('DELETE', `/leases/${id}`, cookie);
		}
	}
	held = await lease(other, 20, 'private bench');
	first = await lease(rival, 15, 'private rig');
	own = await lease(sessions.paid, 5, 'sensor hub');
});

const ownPage = async () => (await openPage(service, `/leases/${own}`, sessions.paid)).text();

test('it says the position, when the lease can start and what is held, and nothing of others', async () => {
	const html = await ownPage();
	expect(html).toMatch(/<title>2nd of 2 · about \d\d:\d\d UTC · Board Access/);
	expect(html).toMatch(/2nd<.*of 2<.*in about 3[45] min.*>10<.*of 100 credits, none spent/s);
	expect(html).toContain('The lease starts even if this page is closed, and costs from then on.');
	expect(html).not.toMatch(/private|other@|rival@/);
	expect(html).not.toContain(first);
});

test('while its board is in maintenance, nothing is said of the start', async () => {
	const maintain = (on: boolean) =>
		send('POST', `/admin/boards/${board.id}/maintenance`, sessions.admin, { on, reason: 'Test' });
	await maintain(true);
	await send('DELETE', `/leases/${held}`, other);
	const html = await ownPage();
	await maintain(false);
	expect(html).toMatch(/<title>2nd of 2 · Board Access/);
	expect(html).toContain('Nobody knows when such a board is available.');
});

test('when its board is ready, its minutes begin with Start now, and its holder sees who waits', async () => {
	await send('DELETE', `/leases/${held}`, other);
	await send('DELETE', `/leases/${first}`, rival);
	await expect.poll(ownPage, patient).toMatch(/Your minutes begin in.*Start now/s);
	expect(await ownPage()).toContain('not begun');
	await lease(other, 10);
	const { expires_at: before } = await send('GET', `/leases/${own}`, sessions.paid);
	const started = await sendForm(service, `/leases/${own}/start`, {}, sessions.paid);
	expect(started.status).toBe(204);
	const { expires_at } = await send('GET', `/leases/${own}`, sessions.paid);
	expect(expires_at < before).toBe(true);
	const html = await ownPage();
	expect(html).not.toContain('Start now');
	expect(html).toContain('1 lease waits for a board of this type');
	expect((await sendForm(service, `/leases/${own}/start`, {}, sessions.admin)).status).toBe(403);
});

describeInBrowser('in a browser', () => {
	const notified: string[] = [];
	let page: Page;

	beforeEach(async () => {
		notified.length = 0;
		const address = await service.listen();
		const context = await newContext({ baseURL: address });
		await context.addCookies(cookiesOf(sessions, 'paid', address));
		await context.exposeFunction('noteNotification', (text: string) => notified.push(text));
		// Headless browsers show no notifications.
		await context.addInitScript(`window.Notification = class {
			static requestPermission = async () => 'granted';
			constructor(text) { window.noteNotification(text); }
		}`);
		page = await context.newPage();
		await page.goto(`/leases/${own}`);
		return () => context.close();
	});

	test('it follows the queue without moving the focus, notifies, and becomes the workbench', {
		tags: 'long',
	}, async () => {
		await expect.poll(() => page.title(), patient).toMatch(/^2nd of 2 · about /);
		// Clock times are those of the locale.
		const times = await page.locator('.queue-page :is([data-at], time[data-clock=minutes])').all();
		expect(times.length).toBeGreaterThan(3);
		for (const time of times) expect(await time.textContent()).toMatch(/^\d+(:\d\d)?\s[AP]M$/);
		await page.getByRole('button', { name: 'Notify me' }).click();
		await page.getByRole('button', { name: 'Leave the queue' }).focus();
		await send('DELETE', `/leases/${first}`, rival);
		await expect.poll(() => page.title(), patient).toMatch(/^1st of 1 · about /);
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Leave the queue');
		expect(notified).toEqual([]);
		await send('DELETE', `/leases/${held}`, other);
		const start = page.getByRole('button', { name: 'Start now' });
		await start.waitFor(patient);
		for (const width of [1440, 1100, 390]) {
			await page.setViewportSize({ width, height: 800 });
			const cut = (h1: Element) => h1.scrollWidth - h1.clientWidth;
			expect(await page.locator('.lease-title h1').evaluate(cut)).toBe(0);
		}
		await start.click(patient);
		expect(notified).toEqual(['Your board is ready: queue']);
		await start.waitFor({ state: 'detached' });
		await expect.poll(() => page.locator('.lease-facts').innerText(), patient).toContain('left');
	});

	const figures = async () => {
		const boxes = await page.locator('.queue-figures strong').evaluateAll((all) =>
			all.map((figure) => {
				const range = document.createRange();
				range.selectNodeContents(figure);
				const { left, right, top } = range.getBoundingClientRect();
				return { left, right, top };
			}),
		);
		const end = await page.locator('.queue-head').evaluate((head) => {
			const padding = Number.parseFloat(getComputedStyle(head).paddingRight);
			return head.getBoundingClientRect().right - padding;
		});
		return { boxes, end };
	};

	test('the figures of its head stand side by side, and within it', async () => {
		for (const width of [390, 800, 1440, 2560]) {
			await page.setViewportSize({ width, height: 900 });
			const { boxes, end } = await figures();
			// On a phone, the third one has a row of its own.
			const row = boxes.slice(0, width === 390 ? 2 : 3);
			expect(new Set(row.map(({ top }) => top)).size, `${width}`).toBe(1);
			for (const [index, { left }] of row.slice(1).entries()) {
				expect(left, `${width}`).toBeGreaterThan(row[index]?.right ?? Infinity);
			}
			for (const { right } of boxes) expect(right, `${width}`).toBeLessThanOrEqual(end);
		}
	});
});
