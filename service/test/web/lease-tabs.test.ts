// @module-tag long
// The tabs of a lease in one browser: their connections, what these carry, and what a tab says when its
// connection breaks.
import { sampleFirmware } from 'board-access-agent/samples';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startRelay } from '../../../core/test/support/relay.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { addBoards, logInAll, origin, type Sessions, sendForm, sendJson } from './support/lab.ts';

const newContext = useBrowser();
const patient = { timeout: 15_000 };
const boardId = 'brd_tabs';

describeInBrowser('the tabs of a lease', () => {
	let service: TestService;
	let sessions: Sessions;
	let agent: Awaited<ReturnType<typeof connectAgent>>;
	let relay: Awaited<ReturnType<typeof startRelay>>;
	let context: BrowserContext;
	let lease: string;

	beforeAll(async () => {
		service = await createTestService({ agentTimeout: 600 });
		sessions = await logInAll(service);
		const boards = [{ id: boardId, name: 'tabs', board_type: 'tabs' }];
		const token = await addBoards(service, boards, sessions.admin);
		agent = await connectAgent(sendAs(origin, token, service.fetch), {
			driven: { [boardId]: ['reset', 'flash'] },
			obliging: true,
		});
		const { hostname: host, port } = new URL(await service.listen());
		relay = await startRelay({ host, port: Number(port) });
	});
	afterAll(async () => {
		relay?.close();
		await service?.close();
	});

	beforeEach(async () => {
		const used = await sendForm(service, `/boards/${boardId}/use`, { minutes: '9' }, sessions.free);
		lease = used.headers.get('location') ?? '';
		const headers = { cookie: sessions.free };
		const read = async () => (await service.fetch(`${origin}/v1${lease}`, { headers })).json();
		await expect.poll(read, patient).toMatchObject({ status: 'active' });
		const address = `http://127.0.0.1:${relay.port}`;
		context = await newContext({ baseURL: address });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		await context.addInitScript(() => localStorage.setItem('console', '{"mode":"keys"}'));
	});
	afterEach(async () => {
		relay.restore();
		await context.close();
		await sendForm(service, `${lease}/release`, { confirmed: 'true' }, sessions.free);
	});

	const leaseId = () => lease.slice('/leases/'.length);
	const typed = () => agent.input.get(leaseId()) ?? '';

	let written = 0;
	beforeEach(() => {
		written = 0;
	});
	const write = async (text: string) => {
		const data = new TextEncoder().encode(text);
		const fence = agent.fence(boardId);
		const { status } = await agent.write(leaseId(), { fence, offset: written, data });
		expect(status).toBe(200);
		written += data.length;
	};

	const openTab = async () => {
		const page = await context.newPage();
		await page.goto(lease);
		return page;
	};
	const shows = async (page: Page, text: string) => {
		// Chromium draws a tab behind another one about once in a second.
		await page.bringToFront();
		await page.locator('.xterm-rows').scrollIntoViewIfNeeded();
		await expect.poll(() => page.locator('.xterm-rows').textContent(), patient).toContain(text);
	};
	const type = async (page: Page, text: string) => {
		await page.locator('.xterm-helper-textarea').focus();
		await page.keyboard.type(text);
	};

	test('the page of a lease loads at most 160 kB', async () => {
		await write('hello');
		const tab = await openTab();
		await shows(tab, 'hello');
		const sizes = await tab.evaluate(() =>
			performance
				.getEntries()
				.filter((entry) => entry instanceof PerformanceResourceTiming)
				.map(({ name, encodedBodySize }) => [name, encodedBodySize] as const),
		);
		expect(sizes.map(([name]) => name)).toContainEqual(expect.stringMatching(/terminal\.js$/));
		expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(160_000);
	});

	test('a line can be typed and sent before the terminal is loaded', async () => {
		await write('printed before\r\n');
		const tab = await context.newPage();
		const terminal = Promise.withResolvers<void>();
		// What is requested when one can type already.
		await tab.route(/\/terminal\.js$/, async (route) => {
			await terminal.promise;
			await route.continue();
		});
		await tab.addInitScript(() => localStorage.removeItem('console'));
		await tab.goto(lease, { waitUntil: 'commit' });
		await tab.locator('[data-modes]:not([hidden])').waitFor();
		await tab.getByText('printed before').waitFor();
		await tab.getByLabel('Line to send').fill('early');
		await tab.getByLabel('Line to send').press('Enter');
		await expect.poll(typed, patient).toBe('early\r');
		await write('reply');
		expect(await tab.locator('.xterm-rows').count()).toBe(0);
		// 400 kbit/s carry 100 kB in 2 s, with the headers of each response.
		const loaded: number[] = await tab.evaluate(() =>
			performance
				.getEntries()
				.filter((entry) => entry instanceof PerformanceResourceTiming)
				.map(({ encodedBodySize }) => encodedBodySize + 700),
		);
		expect(loaded.length).toBeGreaterThan(2);
		expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
		terminal.resolve();
		await shows(tab, 'reply');
		await shows(tab, '› early');
	});

	test('a change of an open page is sent without the console', async () => {
		for (let n = 0; n < 16; n++) await write(`${'x'.repeat(32 * 1024)}\r\n`);
		await write('end');
		const tab = await openTab();
		await shows(tab, 'end');
		const before = relay.received();
		for (const action of ['reset', 'reset', 'reset']) {
			await sendJson(service, `POST ${lease}/actions`, { action }, sessions.free);
		}
		await expect.poll(() => tab.getByText('Reset').count(), patient).toBeGreaterThan(3);
		await tab.getByRole('button', { name: '10 min' }).click();
		await expect
			.poll(() => tab.locator('[data-countdown]').textContent(), patient)
			.toMatch(/^1\d:/);
		expect(relay.received() - before).toBeLessThan(128 * 1024);
	});

	// Device attributes, state, position of the cursor, color; then every change of the focus.
	const questions = '\x1b[c\x1b[>c\x1b[5n\x1b[6n\x1b]11;?\x07\x1b[?1004h';

	test('terminals do not reply to old output, and one replies to new output', async () => {
		await write(`${questions}old`);
		const [first, second] = [await openTab(), await openTab()];
		for (const tab of [first, second]) await shows(tab, 'old');
		await write('\x1b[?1004l\x1b[6n new');
		for (const tab of [first, second]) await shows(tab, 'new');
		await expect.poll(typed, patient).toBe('\x1b[1;4R');
		await type(second, 'x');
		await expect.poll(typed, patient).toBe('\x1b[1;4Rx');
		await write('\x1b[6n newer');
		for (const tab of [first, second]) await shows(tab, 'newer');
		await type(first, 'y');
		await expect.poll(typed, patient).toBe('\x1b[1;4Rx\x1b[1;8Ry');
	});

	test.each(['cut', 'freeze'] as const)(
		'a tab says when its connection is lost: %s',
		async (end) => {
			const tab = await openTab();
			await write('ready');
			await shows(tab, 'ready');
			await tab.evaluate(() => document.body.setAttribute('data-same', ''));
			relay[end]();
			await tab
				.getByText('The service cannot be reached. Trying again')
				.waitFor({ timeout: 15_000 });
			await type(tab, 'lost\r');
			await tab.locator('[data-unsent]').getByText('Not sent: “lost⏎”').waitFor();
			const release = tab.getByRole('button', { name: 'Release' });
			expect(await release.getAttribute('aria-disabled')).toBe('true');
			await release.click({ force: true });
			expect(await tab.getByText('Not connected').isVisible()).toBe(true);
			relay.restore();
			await tab.getByText('The service is back.').waitFor({ timeout: 15_000 });
			expect(await release.getAttribute('aria-disabled')).toBe('false');
			expect(await tab.getByText('Not connected').isVisible()).toBe(false);
			await type(tab, 'kept ');
			await expect.poll(typed, patient).toBe('kept ');
			expect(await tab.locator('[data-unsent]').isVisible()).toBe(true);
			await tab.getByRole('button', { name: 'Send again' }).click();
			await expect.poll(typed, patient).toBe('kept lost\r');
			expect(await tab.locator('[data-unsent]').isHidden()).toBe(true);
			expect(await tab.locator('[data-same]').count()).toBe(1);
		},
	);

	test.each([1, 3])('text is typed once when %i responses to it are lost', async (times) => {
		const tab = await openTab();
		await type(tab, 'a');
		await expect.poll(typed, patient).toBe('a');
		const lost = relay.lose('/console?', times);
		await type(tab, 'reset\r');
		await expect.poll(() => lost.times, patient).toBe(0);
		await type(tab, 'b');
		await expect.poll(typed, patient).toBe('areset\rb');
		expect(await tab.locator('[data-unsent]').isHidden()).toBe(true);
	});

	const renew = async (tab: Page) => {
		await tab.getByRole('button', { name: '10 min' }).click();
		const alert = tab.locator('[data-lease-alert]');
		await alert.waitFor();
		return alert.locator('span').textContent();
	};

	test.each([
		// A proxy may respond.
		[200, 'The service cannot be reached.'],
		[500, 'The service cannot be reached.'],
	])('a button that gets a page with status %i has done nothing', async (status, text) => {
		const tab = await openTab();
		const body = '<h1>An error</h1>';
		await tab.route('**/renew', (route) =>
			route.fulfill({ status, body, contentType: 'text/html' }),
		);
		expect(await renew(tab)).toBe(text);
	});

	test('a button says so when there is no response for 15 s', async () => {
		const tab = await context.newPage();
		await tab.clock.install();
		await tab.goto(lease);
		const requested = Promise.withResolvers<void>();
		await tab.route('**/renew', () => requested.resolve());
		// A new connection would take the message away.
		await tab.route('**/events*', () => {});
		const renewed = renew(tab);
		await requested.promise;
		await tab.clock.runFor(16_000);
		expect(await renewed).toBe('The service cannot be reached.');
	});

	const flashes = async () => {
		const headers = { cookie: sessions.free };
		const listed = await service.fetch(`${origin}/v1${lease}/actions`, { headers });
		const { data } = (await listed.json()) as { data: { action: string; phase: string }[] };
		return data.filter(({ action, phase }) => action === 'flash' && phase === 'use').length;
	};
	const firmware = async (name: string) => {
		const buffer = Buffer.from(await sampleFirmware('arduino-uno'));
		return { name, mimeType: 'application/octet-stream', buffer };
	};
	/** In the menu, which waits for its button. */
	const choose = async (tab: Page, file: Awaited<ReturnType<typeof firmware>>) => {
		await tab.locator('.flash summary').click();
		await tab.locator('#firmware').setInputFiles(file);
	};
	const flash = async (tab: Page) => {
		if (await tab.locator('.flash details:not([open])').count()) {
			await tab.locator('.flash summary').click();
		}
		await tab.getByRole('button', { name: 'Flash', exact: true }).click();
		return tab.locator('[data-lease-notice], [data-lease-alert]');
	};

	test.each(['/files', '/actions'])('a lost response to %s still flashes once', async (path) => {
		const tab = await openTab();
		await choose(tab, await firmware('blink.hex'));
		const lost = relay.lose(`POST /v1${lease}${path}`, 2);
		await (await flash(tab)).getByText('blink.hex is on the board.').waitFor();
		expect(lost.times).toBe(0);
		expect(await flashes()).toBe(1);
		await choose(tab, await firmware('blink.hex'));
		await flash(tab);
		await expect.poll(flashes, patient).toBe(2);
	});

	test.each(['', 'data'])(
		'a connection that ends at once is not opened again at once: “%s”',
		async (body) => {
			const page = await context.newPage();
			const opened: number[] = [];
			await page.route(/\/events/, (route) => {
				opened.push(performance.now());
				return route.fulfill({ body });
			});
			await page.goto(lease);
			await expect.poll(() => opened.length, patient).toBeGreaterThan(3);
			const [first = 0, , , fourth = 0] = opened;
			expect(fourth - first).toBeGreaterThan(2_900);
		},
	);

	test.each(['cut', 'freeze'] as const)(
		'lists that refresh themselves say when the connection is lost: %s',
		async (end) => {
			const open = async (path: string) => {
				const page = await context.newPage();
				await page.goto(path);
				return page;
			};
			const pages = await Promise.all(['/boards', `/boards/${boardId}`, '/leases'].map(open));
			relay[end]();
			const becomes = (state: 'visible' | 'hidden') =>
				Promise.all(
					pages.map((page) =>
						page.getByText('No connection. Trying again…').waitFor({ state, timeout: 30_000 }),
					),
				);
			await becomes('visible');
			relay.restore();
			await becomes('hidden');
		},
	);

	test('the time left is correct in a browser with another clock', async () => {
		await context.addInitScript(() => {
			const now = Date.now;
			Date.now = () => now() + 60 * 60 * 1000;
		});
		const tab = await openTab();
		const left = () => tab.locator('[data-countdown]').textContent();
		expect(await left()).toMatch(/^(9:00|8:5\d)$/);
		await expect.poll(left, patient).toMatch(/^8:5[0-7]$/);
	});
});
