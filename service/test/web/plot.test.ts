// @module-tag long
// The plot of the numbers that a board prints.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { type LeasedBoard, patient, startLeasedBoard } from './support/leased-board.ts';

const newContext = useBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describeInBrowser('the plot of a lease', () => {
	let started: Awaited<ReturnType<typeof startLeasedBoard>>;
	let leased: LeasedBoard;
	beforeAll(async () => {
		started = await startLeasedBoard();
	});
	afterAll(() => started?.stop());
	beforeEach(async () => {
		leased = await started.lease(newContext);
	});
	afterEach(async () => {
		await leased.end();
		expect(leased.violations).toEqual([]);
	});

	const panel = (page: Page) => page.locator('[data-plot]');
	const series = (page: Page, name: string) => panel(page).getByRole('button', { name });
	const loaded = (page: Page) =>
		page.evaluate(() =>
			performance.getEntriesByType('resource').some(({ name }) => name.endsWith('uplot.js')),
		);

	test('numbers are plotted: the first two names, others when they are chosen', async () => {
		await leased.write('hello\r\n');
		const page = await leased.open();
		await leased.shows(page, 'hello');
		expect(await loaded(page)).toBe(false);
		for (const value of [1, 2, 3]) {
			await leased.write(`temp:${value}.5 target:45 duty:${value}\r\n`);
		}
		await panel(page).locator('canvas').waitFor();
		const chart = panel(page).getByRole('img');
		const label = () => chart.getAttribute('aria-label');
		await expect.poll(label, patient).toBe('The last 2 min: temp 3.5, target 45');
		const pressed = (name: string) => series(page, name).getAttribute('aria-pressed');
		expect([await pressed('temp'), await pressed('duty')]).toEqual(['true', 'false']);
		await series(page, 'duty').click();
		await series(page, 'target').click();
		await panel(page).getByLabel('Time that is shown').selectOption('30 s');
		await expect.poll(label, patient).toBe('The last 30 s: temp 3.5, duty 3');
		await leased.write('temp:9 target:45 duty:8\r\n');
		await expect.poll(label, patient).toBe('The last 30 s: temp 9, duty 8');

		// Evaluated, because the policy of the page forbids scripts from elsewhere.
		await page.evaluate(await readFile(axe, 'utf8'));
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			const checked = page.evaluate('axe.run("[data-plot]").then(({ violations }) => violations)');
			expect(await checked).toEqual([]);
		}
	});

	/** Whether the chart has changed since it was last looked at. */
	const picture = (page: Page) =>
		panel(page)
			.locator('canvas')
			.evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));

	/** Whether the line of the first name can be seen. */
	const isDrawn = (page: Page) =>
		panel(page).evaluate((element) => {
			const swatch = element.querySelector('.plot-swatch');
			const canvas = element.querySelector('canvas');
			if (!swatch || !canvas) return undefined;
			const wanted = getComputedStyle(swatch).color.match(/\d+/g)?.map(Number) ?? [];
			const { data = [] } =
				canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
			return data.some((_, at) => at % 4 === 0 && wanted.every((part, n) => data[at + n] === part));
		});

	test('the plot ends now, also when the board has long been silent', async () => {
		await leased.write('1,2\r\n3,4\r\n3,4\r\n');
		const page = await leased.context.newPage();
		await page.clock.install();
		await page.goto(leased.path);
		await expect.poll(() => isDrawn(page), patient).toBe(true);
		await panel(page).getByLabel('Time that is shown').selectOption('30 s');
		await page.clock.setSystemTime(Date.now() + 60_000);
		await expect.poll(() => isDrawn(page), patient).toBe(false);
	});

	test('the plot of a lease that has ended keeps its end', async () => {
		await leased.write('1,2\r\n3,4\r\n3,4\r\n');
		await leased.release();
		const page = await leased.context.newPage();
		await page.clock.install({ time: Date.now() + 60 * 60_000 });
		await page.goto(leased.path);
		await expect.poll(() => isDrawn(page), patient).toBe(true);
	});

	test('the plot is paused and goes on, and its numbers are downloaded', async () => {
		const page = await leased.open();
		await leased.write('1,2\r\n3,4\r\n');
		await panel(page).locator('canvas').waitFor();
		await panel(page).getByRole('button', { name: 'Pause' }).click();
		const paused = await picture(page);
		await leased.write('500,600\r\n');
		await expect.poll(() => series(page, 'value 1').textContent(), patient).toBe('value 1 500');
		expect(await picture(page)).toBe(paused);
		await panel(page).getByRole('button', { name: 'Resume' }).click();
		await expect.poll(() => picture(page), patient).not.toBe(paused);
		const download = page.waitForEvent('download');
		await panel(page).getByRole('button', { name: 'Download the numbers as CSV' }).click();
		const file = await readFile(await (await download).path(), 'utf8');
		expect(file.replace(/[\d-]+T[\d:.]+Z/g, 'time')).toBe(
			'time,value 1,value 2\ntime,1,2\ntime,3,4\ntime,500,600\n',
		);
	});
});
