// The tabs of a lease in one browser: the connection that they share, what it carries, and what they
// say when it breaks.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { startRelay } from '../support/relay.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { logInAll, origin, type Sessions, sendForm } from './support/lab.ts';

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
		service = await createTestService({ consoleStreamsPerAccount: 3, agentTimeout: 600 });
		sessions = await logInAll(service);
		const boards = [{ id: boardId, name: 'tabs', board_type: 'tabs' }];
		await sendForm(service, '/admin/boards', { boards: JSON.stringify(boards) }, sessions.admin);
		const created = await service.fetch(`${origin}/v1/admin/agents`, {
			method: 'POST',
			headers: { cookie: sessions.admin, origin, 'content-type': 'application/json' },
			body: JSON.stringify({ name: 'Tabs', board_ids: [boardId] }),
		});
		// A created agent has its token.
		const { token } = (await created.json()) as { token: string };
		agent = await connectAgent(sendAs(origin, token, service.fetch), {
			driven: { [boardId]: ['reset'] },
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
	});
	afterEach(async () => {
		relay.restore();
		await context.close();
		await sendForm(service, `${lease}/release`, {}, sessions.free);
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
		await page.locator('.xterm-rows').scrollIntoViewIfNeeded();
		await expect.poll(() => page.locator('.xterm-rows').textContent(), patient).toContain(text);
	};
	const type = async (page: Page, text: string) => {
		await page.locator('.xterm-helper-textarea').focus();
		await page.keyboard.type(text);
	};

	test('eight tabs share one connection and all show the output', async () => {
		await write('first\r\n');
		const tabs = await Promise.all(Array.from({ length: 8 }, openTab));
		await write('second\r\n');
		for (const tab of tabs) await shows(tab, 'firstsecond');
		for (const tab of tabs) expect(await tab.locator('[data-connection]').textContent()).toBe('');
	});

	test('what changes on an open page arrives without the console', async () => {
		for (let n = 0; n < 16; n++) await write(`${'x'.repeat(32 * 1024)}\r\n`);
		await write('end');
		const tab = await openTab();
		await shows(tab, 'end');
		const before = relay.received();
		for (const action of ['reset', 'reset', 'reset']) {
			await sendForm(service, `${lease}/actions`, { action }, sessions.free);
		}
		await expect.poll(() => tab.getByText('Reset').count(), patient).toBeGreaterThan(3);
		await tab.getByRole('button', { name: '10 more minutes' }).click();
		await expect
			.poll(() => tab.locator('[data-countdown]').textContent(), patient)
			.toMatch(/^1\d:/);
		expect(relay.received() - before).toBeLessThan(128 * 1024);
	});

	// Device attributes, state, position of the cursor, color; then every change of the focus.
	const questions = '\x1b[c\x1b[>c\x1b[5n\x1b[6n\x1b]11;?\x07\x1b[?1004h';

	test('old output is not replied to, and new output is replied to once', async () => {
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
				.waitFor({ timeout: 5_000 });
			await type(tab, 'lost\r');
			await tab.locator('[data-unsent]').getByText('Not sent: “lost⏎”').waitFor();
			await tab.getByRole('button', { name: 'Release' }).click();
			await tab.locator('[data-lease-notice]').getByText('The service cannot').waitFor();
			relay.restore();
			await tab.getByText('The service is back.').waitFor({ timeout: 5_000 });
			expect(await tab.locator('[data-lease-notice]').isHidden()).toBe(true);
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
			const shows = (text: string) =>
				Promise.all(pages.map((page) => page.getByText(text).waitFor({ timeout: 5_000 })));
			await shows('The service cannot be reached. Trying again…');
			relay.restore();
			await shows('The service is back.');
		},
	);

	test('the time left is right in a browser with another clock', async () => {
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
