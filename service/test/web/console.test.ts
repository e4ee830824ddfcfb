// @module-tag long
// The console of the lease page: its tools, its two ways of typing, its marks and its colors.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { type LeasedBoard, patient, startLeasedBoard } from './support/leased-board.ts';

const newContext = useBrowser();

describeInBrowser('the console of a lease', () => {
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
		started.relay.restore();
		await leased.end();
		expect(leased.violations).toEqual([]);
	});

	const line = (page: Page) => page.getByLabel('Line to send');
	const send = async (page: Page, text: string) => {
		await line(page).fill(text);
		await line(page).press('Enter');
	};
	const useKeys = (page: Page) => page.getByText('Keys', { exact: true }).click();
	/** The rows with their times, as one reads them. */
	const times = (page: Page) =>
		page.locator('[data-gutter] > div').evaluateAll((cells) => cells.map((one) => one.textContent));
	const rowsOf = (page: Page) =>
		leased
			.rows(page)
			.locator('> div')
			.evaluateAll((rows) => rows.map((one) => one.textContent));
	const shown = async (page: Page) => {
		const [cells, rows] = [await times(page), await rowsOf(page)];
		const clock = /^\d\d:\d\d:\d\d(\.\d\d\d)?$/;
		return rows
			.map((row, index) => `${clock.test(cells[index] ?? '') ? '| ' : '  '}${row?.trim()}`)
			.filter((row) => row !== '  ');
	};

	test('each line has the time at which it was stored, and wrapped rows have none', async () => {
		await leased.write('one\r\ntwo');
		const page = await leased.open();
		await leased.shows(page, 'two');
		await leased.write(` and more\r\n${'x'.repeat(400)}\r\n`);
		// How many rows the last line takes depends on the fonts of the machine.
		const wrapped = async () => {
			const [one, two, ...rows] = await shown(page);
			const [first = '', ...others] = rows.map((row) => row.slice(0, 2));
			const long = rows.map((row) => row.slice(2)).join('');
			return { one, two, first, others: new Set(others), long, rows: rows.length };
		};
		const asWritten = {
			one: '| one',
			two: '| two and more',
			first: '| ',
			others: new Set(['  ']),
			long: 'x'.repeat(400),
		};
		await expect.poll(wrapped, patient).toMatchObject(asWritten);
		const { rows } = await wrapped();
		const before = await times(page);
		await page.setViewportSize({ width: 965, height: 900 });
		await expect.poll(async () => (await wrapped()).rows, patient).toBeGreaterThan(rows);
		await expect.poll(wrapped, patient).toMatchObject(asWritten);
		expect((await times(page)).filter(Boolean)).toEqual(before.filter(Boolean));
		await page.getByRole('button', { name: 'Time stamps' }).click();
		expect(await page.locator('[data-gutter]').isHidden()).toBe(true);
		await page.reload();
		await leased.shows(page, 'two');
		expect(await page.locator('[data-gutter]').isHidden()).toBe(true);
	});

	test('the times are those of the service, also after the page is loaded again', async () => {
		const page = await leased.open();
		for (const text of ['one\r\n', 'two\r\n']) await leased.write(text);
		await leased.shows(page, 'onetwo');
		const before = await times(page);
		await page.reload();
		await leased.shows(page, 'onetwo');
		await expect.poll(() => times(page), patient).toEqual(before);
	});

	test('an alternate screen has no times and no marks, and an action leaves it', async () => {
		const page = await leased.open();
		await leased.write('before\r\n');
		await leased.shows(page, 'before');
		await leased.write('\x1b[?1049h\x1b[31m\x1b[2J\x1b[Hfull screen');
		await leased.shows(page, 'full screen');
		await send(page, 'q');
		await expect.poll(leased.typed, patient).toBe('q\r');
		expect(await shown(page)).toEqual(['  full screen']);
		const report = await leased.act('reset');
		await report({ status: 'done', console_offset: leased.written() });
		await leased.write('after\r\n');
		await leased.shows(page, 'after');
		expect((await shown(page)).at(0)).toBe('| before');
		expect((await shown(page)).at(-1)).toBe('| after');
		const last = leased.rows(page).getByText('after');
		expect(await last.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(244, 242, 239)');
	});

	const mark = (page: Page, text: string) => page.locator('.mark', { hasText: text });

	test('an action leaves a mark where its output begins, which changes with the action', async () => {
		const page = await leased.open();
		await leased.write('before\r\n$ ');
		await leased.shows(page, '$');
		const report = await leased.act('reset');
		await report({ status: 'running' });
		await mark(page, 'Resetting').waitFor();
		const place = leased.written();
		await leased.write('hello\r\n');
		await report({ status: 'done', console_offset: place, message: 'by the button' });
		await mark(page, 'Reset: by the button').waitFor();
		expect(await shown(page)).toEqual(['| before', '| $', '| ', '| hello']);
		await page.reload();
		await mark(page, 'Reset: by the button').waitFor();
		expect(await shown(page)).toEqual(['| before', '| $', '| ', '| hello']);
	});

	test('actions without output between them have a row each', async () => {
		const page = await leased.open();
		await leased.write('before\r\n');
		await leased.shows(page, 'before');
		for (const message of ['first', 'second', 'third']) {
			const report = await leased.act('reset');
			await report({ status: 'failed', message });
			await mark(page, message).waitFor();
		}
		await leased.write('after\r\n');
		const rows = ['| before', '| ', '| ', '| ', '| after'];
		await expect.poll(() => shown(page), patient).toEqual(rows);
		const tops = await page
			.locator('.mark')
			.evaluateAll((marks) => marks.map((one) => one.getBoundingClientRect().top));
		expect(new Set(tops).size).toBe(3);
	});

	test('the mark of an action that is known late is at its place, and so is that of a failure', async () => {
		const page = await leased.open();
		const report = await leased.act('reset');
		const fail = await leased.act('reset');
		await leased.write('one\r\n');
		const place = leased.written();
		await leased.write('two\r\n');
		await leased.shows(page, 'onetwo');
		await report({ status: 'done', console_offset: place });
		await mark(page, 'Reset').waitFor();
		await expect.poll(() => shown(page), patient).toEqual(['| one', '| ', '| two']);
		await fail({ status: 'failed', message: 'no answer' });
		await mark(page, 'Not reset: no answer').waitFor();
		await leased.write('three\r\n');
		await expect
			.poll(() => shown(page), patient)
			.toEqual(['| one', '| ', '| two', '| ', '| three']);
	});

	test('a sequence that is sent in two pieces is not broken by a mark', async () => {
		const page = await leased.open();
		await leased.write('in \x1b[3');
		// The page may get its own line sooner than the output.
		await leased.shows(page, 'in');
		await send(page, 'x');
		await expect.poll(leased.typed, patient).toBe('x\r');
		await leased.write('2mgreen\r\n');
		await leased.shows(page, '› x');
		expect(await shown(page)).toEqual(['| in green', '| › x']);
	});

	test('lines are sent with the chosen ending, are kept in a history, and are shown', async () => {
		const page = await leased.open();
		await send(page, 'one');
		await page.getByLabel('Line ending').selectOption('CR LF');
		await page.getByText('Enter sends the line with CR LF').waitFor();
		await send(page, 'two');
		await expect.poll(leased.typed, patient).toBe('one\rtwo\r\n');
		await leased.shows(page, '› one› two');
		await line(page).fill('half');
		await line(page).press('ArrowUp');
		await line(page).press('ArrowUp');
		expect(await line(page).inputValue()).toBe('one');
		for (let count = 0; count < 3; count += 1) await line(page).press('ArrowDown');
		expect(await line(page).inputValue()).toBe('half');
		await page.reload();
		await leased.rows(page).waitFor();
		expect(await line(page).inputValue()).toBe('half');
		expect(await page.getByLabel('Line ending').inputValue()).toBe('crlf');
		await line(page).press('ArrowUp');
		expect(await line(page).inputValue()).toBe('two');
	});

	const paste = (page: Page, selector: string, text: string) =>
		page.locator(selector).evaluate((element, text) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData('text/plain', text);
			const options = { clipboardData, bubbles: true, cancelable: true };
			element.dispatchEvent(new ClipboardEvent('paste', options));
		}, text);

	test('pasted lines are sent in their order, and the rest is left to be typed on', async () => {
		const page = await leased.open();
		await line(page).fill('set ');
		await paste(page, '#line', '1\nset 2\r\nset');
		await expect.poll(leased.typed, patient).toBe('set 1\rset 2\r');
		expect(await line(page).inputValue()).toBe('set');
	});

	test('every key goes to the board until Ctrl ] leaves', async () => {
		const page = await leased.open();
		await useKeys(page);
		await page.getByText('Every key goes to the board. Ctrl ] leaves.').waitFor();
		await page.keyboard.type('ls');
		for (const key of ['Tab', 'Control+c', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
		await expect.poll(leased.typed, patient).toBe('ls\t\x03\x1b[A\r');
		await paste(page, '.xterm-helper-textarea', 'a\nb\n');
		await expect.poll(leased.typed, patient).toBe('ls\t\x03\x1b[A\ra\rb\r');
		await page.keyboard.press('Control+]');
		await page.keyboard.type('a line');
		expect(await line(page).inputValue()).toBe('a line');
		await page.keyboard.press('Tab');
		expect(await page.evaluate('document.activeElement.value')).toBe('lines');
	});

	test('a mode that is chosen by the keyboard leaves the focus where it is', async () => {
		const page = await leased.open();
		await line(page).focus();
		await page.keyboard.press('Tab');
		await page.keyboard.press('ArrowRight');
		const focused = () => page.evaluate('document.activeElement.value');
		await expect.poll(focused).toBe('keys');
		await page.keyboard.press('ArrowLeft');
		await expect.poll(focused).toBe('lines');
		expect(leased.typed()).toBe('');
	});

	test('Ctrl C copies what is selected, and is a key of the board otherwise', async () => {
		await leased.context.grantPermissions(['clipboard-read', 'clipboard-write']);
		await leased.write('to copy\r\n');
		const page = await leased.open();
		await useKeys(page);
		await leased.shows(page, 'to copy');
		await page.locator('.xterm-screen').dblclick({ position: { x: 4, y: 4 } });
		await page.keyboard.press('Control+c');
		await page.keyboard.press('x');
		await expect.poll(leased.typed, patient).toBe('x');
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe('to');
	});

	test('a key that is typed while the output has the focus begins a line', async () => {
		const page = await leased.open();
		await page.locator('.xterm-screen').click();
		await page.keyboard.type('hi');
		expect(await line(page).inputValue()).toBe('hi');
	});

	test('what is typed while the service is away stays in its line, and is sent when it is back', async () => {
		const page = await leased.open();
		started.relay.cut();
		await page.getByText('Lines cannot be sent at the moment.').waitFor(patient);
		await send(page, 'typed for an hour');
		expect(await line(page).inputValue()).toBe('typed for an hour');
		started.relay.restore();
		await page.getByText('Enter sends the line with CR').waitFor(patient);
		await line(page).press('Enter');
		await expect.poll(leased.typed, patient).toBe('typed for an hour\r');
	});

	test('what was not sent is still there when the page is loaded again', async () => {
		const page = await leased.open();
		await useKeys(page);
		started.relay.cut();
		await page.getByText('Trying again').waitFor(patient);
		await page.keyboard.type('lost\r');
		await page.getByText('Not sent: “lost⏎”').waitFor();
		started.relay.restore();
		await page.reload();
		await page.getByText('Not sent: “lost⏎”').waitFor();
		await page.getByRole('button', { name: 'Send again' }).click();
		await expect.poll(leased.typed, patient).toBe('lost\r');
	});

	test('a line that is being sent is still there when the page is loaded again, with a warning', async () => {
		const page = await leased.open();
		await page.route(/\/console\?offset/, () => {});
		await send(page, 'reboot');
		await leased.shows(page, '› reboot');
		await page.reload();
		const warning = 'Perhaps sent: “reboot⏎”. If you send it again, it may be typed twice.';
		await page.getByText(warning).waitFor();
	});

	test('a sent line stands above a reply that arrives before its response', async () => {
		const page = await leased.open();
		await page.route(/\/console\?offset/, async (route) => {
			const response = await route.fetch();
			await leased.write('pong\r\n');
			await leased.shows(page, 'pong');
			await route.fulfill({ response });
		});
		await send(page, 'ping');
		await expect.poll(() => shown(page), patient).toEqual(['| › ping', '| pong']);
		await page.unrouteAll({ behavior: 'wait' });
	});

	test('notices and a lost connection move nothing, nor change the color of the bar', async () => {
		const page = await leased.open();
		await page.evaluate(() => {
			const shifts: number[] = [];
			new PerformanceObserver((list) => {
				// The types lack what Chromium reports of a shift.
				for (const entry of list.getEntries())
					shifts.push((entry as { value?: number }).value ?? 0);
			}).observe({ type: 'layout-shift' });
			Object.assign(window, { shifts });
		});
		const positions = () =>
			page.evaluate(() =>
				['.console', '.lease-actions', '.steps-drawer'].map((name) => {
					const { x, y, height } = document.querySelector(name)?.getBoundingClientRect() ?? {};
					return { x, y, height };
				}),
			);
		const color = () =>
			page.locator('.lease-title').evaluate((title) => getComputedStyle(title).color);
		// It has none while the facts are replaced.
		await expect.poll(color).not.toBe('');
		const calm = await color();
		const before = await positions();
		const damaged = { name: 'damaged.hex', mimeType: '', buffer: Buffer.from(':10000000ZZ') };
		await page.locator('#firmware').setInputFiles(damaged);
		await page.locator('[data-lease-alert]').getByText('damaged.hex').waitFor();
		started.relay.cut();
		await page.getByText('The lease goes on.').waitFor(patient);
		expect(await positions()).toEqual(before);
		await expect.poll(color).toBe(calm);
		started.relay.restore();
		await page.getByText('The service is back.').waitFor(patient);
		expect(await positions()).toEqual(before);
		// Chromium reports that the digits of the clock change, too.
		const shifts: number[] = await page.evaluate('shifts');
		expect(shifts.filter((shift) => shift > 1e-3)).toEqual([]);
	});

	test('the end of the lease leaves the page as it is, but for what can no longer be done', async () => {
		await leased.write('before\r\n');
		const page = await leased.open();
		await leased.shows(page, 'before');
		await line(page).fill('half a line');
		await page.evaluate(() => Object.assign(window, { opened: true }));
		await leased.release();
		await page.getByRole('link', { name: 'Use it again' }).waitFor(patient);
		await leased.shows(page, 'before');
		expect(await page.evaluate('opened')).toBe(true);
		expect(await page.locator('.strip', { hasText: 'You released the board.' }).count()).toBe(1);
		expect(await line(page).isHidden()).toBe(true);
		expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0);
		await expect
			.poll(() => page.locator('.mark').allTextContents())
			.toContain('You released the board');
	});

	test('text is found from the end, with a count', async () => {
		await leased.write(`${'CRC one\r\nother\r\n'.repeat(2)}crc three\r\n`);
		const page = await leased.open();
		await leased.shows(page, 'crc three');
		await line(page).focus();
		await page.keyboard.press('Control+Shift+F');
		const field = page.getByLabel('Find in the console');
		const count = page.locator('[data-find-count]');
		await page.keyboard.type('crc');
		await expect.poll(() => count.textContent(), patient).toBe('3 of 3');
		await field.press('Enter');
		await expect.poll(() => count.textContent(), patient).toBe('2 of 3');
		await field.press('Shift+Enter');
		await field.press('Shift+Enter');
		await expect.poll(() => count.textContent(), patient).toBe('1 of 3');
		await field.fill('nothing');
		await expect.poll(() => count.textContent(), patient).toBe('None');
		await field.press('Escape');
		expect(await page.evaluate('document.activeElement.id')).toBe('line');
		expect(await count.textContent()).toBe('');
	});

	test('the newest of more than a thousand matches is marked, also where a line is wrapped', async () => {
		await leased.write('a crc of one line\r\n'.repeat(1_200));
		await leased.write(`${'.'.repeat(190)}crc at its end\r\n`);
		const page = await leased.open();
		await leased.shows(page, 'crc at its end');
		const count = page.locator('[data-find-count]');
		await page.getByLabel('Find in the console').fill('crc');
		await expect.poll(() => count.textContent(), patient).toBe('1,201 of 1,201');
		const marked = leased.rows(page).locator('span').filter({ hasText: /c/ });
		const isMarked = () =>
			marked.evaluateAll((spans) =>
				spans.some((span) => getComputedStyle(span).backgroundColor === 'rgb(156, 90, 44)'),
			);
		await expect.poll(isMarked, patient).toBe(true);
	});

	const many = (word: string, count: number) =>
		Array.from({ length: count }, (_, index) => `${word} ${index + 1}\r\n`).join('');

	test('the end of the output is one click away, with the number of new lines', async () => {
		await leased.write(many('line', 200));
		const page = await leased.open();
		await leased.shows(page, 'line 200');
		const toEnd = page.locator('[data-to-end]');
		expect(await toEnd.isHidden()).toBe(true);
		await line(page).press('Shift+PageUp');
		await expect.poll(() => toEnd.textContent(), patient).toContain('To the end');
		await leased.write(many('more', 14));
		await expect.poll(() => toEnd.textContent(), patient).toContain('14 new lines');
		await toEnd.click();
		await leased.shows(page, 'more 14');
		expect(await toEnd.isHidden()).toBe(true);
	});

	test('the view is cleared, but for its last line, and has everything again on a new page', async () => {
		await leased.write('one\r\ntwo\r\n$ ');
		const page = await leased.open();
		await leased.shows(page, 'two');
		await page.getByRole('button', { name: 'Clear' }).click();
		await expect.poll(() => shown(page), patient).toEqual(['| $']);
		await leased.write('three\r\n');
		await expect.poll(() => shown(page), patient).toEqual(['| $ three']);
		// The mark of an action that is known late has the output shown again.
		const report = await leased.act('reset');
		const place = leased.written();
		await leased.write('four\r\n');
		await leased.shows(page, 'four');
		await report({ status: 'done', console_offset: place });
		await expect.poll(() => shown(page), patient).toEqual(['| three', '| ', '| four']);
		await page.reload();
		await leased.shows(page, 'one');
	});

	/** The contrast of each colored text with the background. */
	const contrasts = (page: Page) =>
		leased
			.rows(page)
			.locator('span')
			.evaluateAll((spans) => {
				const luminance = (color: string) => {
					const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
						const share = Number(part) / 255;
						return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
					});
					return 0.2126 * r + 0.7152 * g + 0.0722 * b;
				};
				const background = luminance('rgb(22, 24, 26)');
				return spans
					.filter(({ textContent }) => textContent?.includes('text'))
					.map((span) => {
						const color = getComputedStyle(span).color;
						return { color, contrast: (luminance(color) + 0.05) / (background + 0.05) };
					});
			});

	test('every color can be read, and those of 256 and of millions are shown', async () => {
		const ansi = Array.from({ length: 16 }, (_, n) => (n < 8 ? 30 + n : 82 + n));
		const codes = [...ansi, '38;5;17', '38;5;208', '38;2;10;20;30', '38;2;100;150;255'];
		await leased.write(codes.map((code) => `\x1b[${code}mtext\x1b[0m\r\n`).join(''));
		const page = await leased.open();
		await leased.shows(page, 'text');
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			const found = await contrasts(page);
			expect(found).toHaveLength(codes.length);
			for (const { contrast } of found) expect(contrast).toBeGreaterThanOrEqual(4.5);
			expect(new Set(found.map(({ color }) => color)).size).toBeGreaterThan(16);
			expect(found.at(-1)?.color).toBe('rgb(100, 150, 255)');
		}
	});

	test('lines are read out, unless more than two a second arrive', async () => {
		const page = await leased.open();
		const log = page.getByRole('log');
		await expect.poll(() => log.getAttribute('aria-live'), patient).toBe('polite');
		await leased.write('\x1b[32mone\x1b[0m\r\n');
		await expect.poll(() => log.textContent(), patient).toBe('one');
		expect(await log.getAttribute('aria-live')).toBe('polite');
		await leased.write(many('line', 3));
		await expect.poll(() => log.getAttribute('aria-live'), patient).toBe('off');
		await expect.poll(() => log.getAttribute('aria-live'), patient).toBe('polite');
		expect(await log.textContent()).toBe('oneline 1line 2line 3');
	});
});
