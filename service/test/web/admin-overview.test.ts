// The overview of operations: what it counts, who sees it, and how it is used.
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timestamp } from '../../../core/src/database/clock.ts';
import type { FailureRow } from '../../../core/src/database/schema.ts';
import { onSqlite } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';
import { describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { openPage, sendForm, sessionOf, signUp } from './support/lab.ts';

const newContext = useBrowser();
const hour = Math.floor(Date.parse('2026-11-25T14:30:00Z') / 3_600_000);
const path = '/admin/overview';

let bench: Bench;
let admin: string;
beforeAll(async () => {
	bench = await openBench(onSqlite, { boards: 3, signup: 'open' });
	const { clock, query } = bench.services.database;
	// The agents of the sample stay online.
	Object.assign(clock, { now: () => hour * 3_600_000 + 1_800_000, awakeFor: () => 0 });
	admin = sessionOf(await sendForm(bench, '/login', bench.login));
	await query.updateTable('boards').set({ agent_id: null, lease_id: null }).execute();
	await query.updateTable('boards').set({ status: 'maintenance' }).execute();
	const boards = ['in_use', 'available', 'offline'] as const;
	for (const [index, status] of boards.entries()) {
		await query
			.updateTable('boards')
			.set({ agent_id: bench.agentId, status, failed_preparations: index === 1 ? 1 : 0 })
			.where('id', '=', `brd_bench_${index + 1}`)
			.execute();
	}
	await query.deleteFrom('lease_actions').execute();
	await query.deleteFrom('leases').execute();
	await query
		.updateTable('agents')
		.set({
			version: '0.0.9',
			host: 'bench-pi',
			connection_id: 'one',
			started_at: timestamp((hour - 49) * 3_600_000),
		})
		.execute();
	const failure = (age: number, cause: FailureRow['cause'], board: number, lease: string) => ({
		id: `failure ${age}`,
		created_at: timestamp((hour - age) * 3_600_000),
		cause,
		lease_id: lease,
		board_id: `brd_bench_${board}`,
		agent_id: bench.agentId,
	});
	await query
		.insertInto('failures')
		.values([
			failure(2, 'no_device', 1, 'lse_1'),
			failure(3, 'verify_failed', 1, 'lse_1'),
			failure(30, 'no_device', 2, 'lse_2'),
			failure(31 * 24, 'timeout', 3, 'lse_3'),
		])
		.execute();
	const lease = {
		account_id: 'acc_none',
		board_type: 'bench',
		minutes: 5,
		credits_per_minute: 0,
		most_credits_per_minute: 0,
		held_credits: 0,
	};
	await query
		.insertInto('leases')
		.values({
			...lease,
			id: 'lse_waiting',
			status: 'queued',
			created_at: timestamp(hour * 3_600_000 + 1_700_000),
			queued_until: timestamp((hour + 1) * 3_600_000),
		})
		.execute();
});
afterAll(() => bench.close());

const open = async () => plain(await (await openPage(bench, path, admin)).text());
/** The text of a page, without its markup. */
const plain = (page: string) =>
	page.replaceAll(/<(script|style|title)\b.*?<\/\1>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');

test('only administrators see it', async () => {
	const member = await signUp(bench, 'member@example.com');
	expect((await openPage(bench, path, member)).status).toBe(403);
	expect((await openPage(bench, path)).status).toBe(303);
});

test('it says how many boards are in use, what waits, and what has failed', async () => {
	const text = await open();
	expect(text).toContain('In use now 1 of 2 usable boards');
	expect(text).toMatch(/Waiting 1 since ([A-Z]\w+ \d+, )?14:28 UTC/);
	expect(text).toContain('Failed leases, 24 hours 1');
	expect(text).toMatch(/Agents online (\d+) of \1 /);
	expect(text).toMatch(/Type Waiting Since Next, about bench 1 ([A-Z]\w+ \d+, )?14:28 UTC –/);
});

test('the boards of each type are counted by their state', async () => {
	const text = await open();
	expect(text).toContain(
		'Type Available In use Maintenance Offline All Failing Keeping earlier firmware',
	);
	expect(text).toMatch(/ bench 1 1 0 1 3 1 0 /);
});

test('the failures of a week are counted by cause and by board', async () => {
	const text = await open();
	expect(text).toContain('Cause Failures No device Bench 2 Verify failed Bench 1 ');
	expect(text).toMatch(/Board Failures [\w-]+ No device, Bench 2 [\w-]+ No device, Bench 1 /);
	expect(text).not.toContain('Timeout');
});

test('an agent of an older version is marked', async () => {
	const agents = plain(await (await openPage(bench, '/admin/agents', admin)).text());
	expect(agents).toMatch(/ Bench bench-pi agt_\w+ Online 0\.0\.9 , older started /);
});

describeInBrowser('in a browser', () => {
	const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
	let page: Page;
	beforeAll(async () => {
		const context = await newContext({ baseURL: 'http://bench.test', bypassCSP: true });
		const [name = '', value = ''] = admin.split(/=(.*)/s);
		await context.addCookies([{ name, value, url: 'http://bench.test' }]);
		await context.route('**/*', async (route) => {
			const request = route.request();
			const { pathname, search } = new URL(request.url());
			const response = await bench.fetch(`http://localhost${pathname}${search}`, {
				headers: { cookie: admin, accept: 'text/html' },
			});
			const headers = Object.fromEntries(response.headers);
			const body = Buffer.from(await response.arrayBuffer());
			await route.fulfill({ status: response.status, headers, body });
		});
		page = await context.newPage();
	});
	afterAll(() => page.context().close());

	test('it is read again every ten seconds', async () => {
		await page.clock.install();
		await page.goto(path);
		const read = page.waitForResponse(`**${path}`);
		await page.clock.runFor(10_000);
		await read;
	});

	test.each([1440, 1024, 390])(
		'it is accessible and fits at a width of %d',
		{ tags: 'long' },
		async (width) => {
			await page.setViewportSize({ width, height: 900 });
			await page.goto(path);
			const sideways = () =>
				document.documentElement.scrollWidth - document.documentElement.clientWidth;
			expect(await page.evaluate(sideways)).toBe(0);
			await page.addScriptTag({ path: axe });
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
				const found = 'axe.run(document).then(({ violations }) => violations)';
				expect(await page.evaluate(found)).toEqual([]);
			}
		},
	);
});
