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
	await query
		.insertInto('hourly_use')
		.values([
			{ hour: hour - 1, measure: 'boards', value: 4 },
			{ hour: hour - 1, measure: 'busy_seconds', value: 7200 },
			{ hour: hour - 1, measure: 'leases', value: 4 },
			{ hour: hour - 1, measure: 'key_leases', value: 3 },
			{ hour: hour - 1, measure: 'wait_1', value: 3 },
			{ hour: hour - 1, measure: 'wait_60', value: 1 },
			{ hour: hour - 1, measure: 'unserved', value: 2 },
			{ hour: hour - 30, measure: 'leases', value: 10 },
		])
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

const open = async (query = '', cookie = admin) =>
	(await openPage(bench, `${path}${query}`, cookie)).text();
const file = async (name: string) => (await open(`/${name}.csv`)).trim().split('\n');
/** The text of a page, without its markup. */
const plain = (page: string) =>
	page.replaceAll(/<(script|style|title)\b.*?<\/\1>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');

test('only administrators see it', async () => {
	const member = await signUp(bench, 'member@example.com');
	expect((await openPage(bench, path, member)).status).toBe(403);
	expect((await openPage(bench, `${path}/boards.csv`, member)).status).toBe(403);
	expect((await openPage(bench, path)).status).toBe(303);
});

test('it says how the boards are used, what waits, and what has failed', async () => {
	const text = plain(await open());
	expect(text).toContain('In use now 50 % 1 of 2 usable boards');
	expect(text).toContain('Waiting 1 the longest for 1:40');
	expect(text).toContain('Wait today, median under 0:01 95 % under 1:00');
	expect(text).toContain('Leases today 5 60 % by API keys');
	expect(text).toContain('Failed leases, 24 hours 1 20 % of leases, 10 % before');
	expect(text).toMatch(/Agents online (\d+) of \1 /);
	expect(text).toContain('2 ended today without a board');
});

test('the boards of each type are counted by their state', async () => {
	const text = plain(await open());
	expect(text).toContain('Type Boards Available In use Failing Maintenance Offline');
	expect(text).toMatch(/ bench 3 0 1 1 0 1 /);
});

test('the boards in use and the waits of each hour are files', async () => {
	const use = await file('use');
	expect(use[0]).toBe('hour,boards in use on average,usable boards');
	expect(use.some((line) => line.endsWith(',2.00,4'))).toBe(true);
	expect((await file('waits')).some((line) => line.includes('under 0:01,under 1:00'))).toBe(true);
	const day = await open('/use.csv?day=2026-11-25');
	const [, ...hours] = day.trim().split('\n');
	expect(hours.filter((line) => !line.startsWith('2026-11-25T'))).toEqual([]);
	expect(hours.length).toBeGreaterThan(0);
});

test('the period decides which failures are counted', async () => {
	expect(await file('failures')).toEqual([
		'Cause,Failures',
		'No device,2',
		'Verification failed,1',
	]);
	const day = await open('/failures.csv?day=2026-11-25');
	expect(day.trim().split('\n').slice(1).sort()).toEqual(['No device,1', 'Verification failed,1']);
	// A day that is no date, or has not begun, is not a period.
	for (const day of ['2026-13-45', '2999-01-01', 'x']) {
		expect(plain(await open(`?day=${day}`))).toContain('Failures by cause 7 days');
	}
});

test('an agent of an older version is marked', async () => {
	expect(plain(await open())).toContain('Bench bench-pi 0.0.9 older 3 2 d');
});

test('each table is a file with all rows', async () => {
	const types = await file('boards');
	expect(types[0]).toBe('Type,Boards,Available,In use,Failing,Maintenance,Offline');
	expect(types).toContain('bench,3,0,1,1,0,1');
	expect(await file('use')).toContain('2026-11-25T13:00:00.000Z,2.00,4');
	expect(await file('waits')).toContain('13,under 0:01,under 1:00');
	expect(await file('queue')).toEqual(['Type,Waiting,Longest,"Next, about"', 'bench,1,1:40,']);
	expect(await file('trouble')).toEqual([
		'Board,By day,Failures,Last failure',
		'brd_bench_1,0 0 0 0 0 0 2,2,No device',
		'brd_bench_2,0 0 0 0 0 1 0,1,No device',
	]);
	expect(await file('agents')).toContain('Bench,0.0.9,3,2 d,bench-pi,yes');
	expect((await openPage(bench, `${path}/constructor.csv`, admin)).status).toBe(404);
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

	test('it is read again every ten seconds, unless it is paused', async () => {
		// The clock jumps over what the page waits for an answer.
		await page.route('**/healthz', (route) => route.fulfill());
		await page.clock.install();
		await page.goto(path);
		let reads = 0;
		page.on('request', (request) => {
			if (new URL(request.url()).pathname === path) reads += 1;
		});
		const read = page.waitForResponse(`**${path}`);
		await page.clock.runFor(10_000);
		await read;
		await page.getByRole('button', { name: 'Pause' }).click();
		await page.getByRole('button', { name: 'Resume' }).waitFor();
		const before = reads;
		expect(before).toBeGreaterThan(0);
		await page.clock.runFor(30_000);
		expect(reads).toBe(before);
		const again = page.waitForResponse(`**${path}`);
		await page.getByRole('button', { name: 'Resume' }).click();
		await again;
	});

	test.each([1440, 1024, 390])('it is accessible and fits at a width of %d', async (width) => {
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
	});
});
