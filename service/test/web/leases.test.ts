// Leases on the pages, with an emulated board: with JavaScript in a browser, and without it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { startAgent } from 'board-access-agent';
import { sampleFirmware } from 'board-access-agent/samples';
import { lease } from 'board-access-contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Lease } from '../../../web/src/leases/status.tsx';
import { Controls } from '../../../web/src/leases/workbench/controls.tsx';
import { LeasePage } from '../../../web/src/leases/workbench/lease-page.tsx';
import { StepList } from '../../../web/src/leases/workbench/steps.tsx';
import { createTestService, type TestService } from '../../src/testing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { emulatedBoard, resetBoard, startEmulatedBoard } from './support/emulated-board.ts';
import {
	addBoards,
	logInAll,
	openPage,
	origin,
	type Sessions,
	sendForm,
	sendJson,
} from './support/lab.ts';

const newContext = useBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const patient = { timeout: 15_000 };
const boardPath = `/boards/${emulatedBoard.id}`;
let service: TestService;
let sessions: Sessions;
let agent: Awaited<ReturnType<typeof startAgent>>;

beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
	agent = await startEmulatedBoard(service, sessions.admin);
});
afterAll(async () => {
	await agent?.stop();
	await service?.close();
});

test('a lease needs valid minutes, and an unknown lease gets a 404 page', async () => {
	const refused = await sendForm(service, `${boardPath}/use`, { minutes: 'x' }, sessions.free);
	expect(refused.status).toBe(400);
	expect(await refused.text()).toContain('Enter a whole number of minutes from 1 to 1440.');
	const unknown = await openPage(service, '/leases/lse_none', sessions.free);
	expect(unknown.status).toBe(404);
	expect(await unknown.text()).toContain('Lease not found');
	expect(await (await openPage(service, '/leases', sessions.paid)).text()).toContain(
		'You have no leases yet',
	);
});

test('the visitor waits in the queue of a board in use, and can leave it', async () => {
	const path = '/boards/brd_esp32-s3-02/use';
	const queued = await sendForm(service, path, { minutes: '5' }, sessions.paid);
	const lease = queued.headers.get('location') ?? '';
	expect(lease).toMatch(/^\/leases\/lse_/);
	const text = await (await openPage(service, lease, sessions.paid)).text();
	expect(text).toContain('Your position');
	expect(text).toContain('Leave the queue');
	expect((await openPage(service, lease, sessions.free)).status).toBe(404);
	await sendForm(service, `${lease}/release`, {}, sessions.paid);
	const ended = await (await openPage(service, lease, sessions.paid)).text();
	expect(ended).toContain('You left the queue.');
	expect(ended).not.toContain('10 min');
	expect(ended).toContain('This lease got no board.');
	expect(ended).toContain('<fieldset class="views" hidden="">');
});

test('the page offers what the board supports, and everything while its agent is offline', async () => {
	const used = await sendForm(
		service,
		`/boards/${resetBoard.id}/use`,
		{ minutes: '5' },
		sessions.free,
	);
	const lease = used.headers.get('location') ?? '';
	const offered = (html: string) =>
		[...html.matchAll(/>\s*(Flash|Reset|Power off|Erase…)\s*<\/button>/g)].map(([, name]) => name);
	const read = async () => offered(await (await openPage(service, lease, sessions.free)).text());
	await expect.poll(read, patient).toEqual(['Reset']);
	await sendForm(service, `${lease}/release`, { confirmed: 'true' }, sessions.free);
	const active = { ...(await queuedView()).lease, status: 'active' } as const;
	const html = String(Controls({ lease: active, rate: 0, watches: false, supported: undefined }));
	expect(offered(html)).toEqual(['Flash', 'Erase…', 'Reset', 'Power off']);
});

test('a preparation shows its limit, and that nothing is charged yet', async () => {
	const { lease } = await queuedView();
	const preparing = { ...lease, status: 'preparing' } as const;
	const time = Date.parse('2026-01-01T00:00:00Z');
	const html = pageOf({ ...preparing, preparation_expires_at: '2026-01-01T00:14:30Z' }, time);
	expect(html).toMatch(/Ready within.*data-countdown="870000"[^>]*>14:30</s);
	expect(html).toMatch(/5 min<.*begin when the board is ready/s);
	expect(html).toContain('Nothing is charged until the board is ready.');
	expect(pageOf({ ...lease, status: 'active' }, time)).not.toContain('Nothing is charged');
});

test('a lease whose console is disconnected shows it, with the reason', async () => {
	const { lease } = await queuedView();
	const console_lost_at = new Date().toISOString();
	const lost = { console_lost_at, console_message: 'unplugged' };
	const html = (console_status: Lease['console_status'], status: Lease['status'] = 'active') =>
		pageOf({ ...lease, ...lost, console_status, status }, 0);
	expect(html('disconnected')).toMatch(/Not connected.* lost <time.*just now.*unplugged/s);
	expect(html('connected')).not.toContain('Not connected:');
	expect(html('disconnected', 'ended')).not.toContain('Not connected:');
});

test('the page begins with the last 64 KiB of a long console, and the download has all of it', async () => {
	const id = 'brd_long';
	const boards = [{ id, name: 'long', board_type: 'long' }];
	const token = await addBoards(service, boards, sessions.admin);
	const send = sendAs(origin, token, service.fetch);
	const scripted = await connectAgent(send, { driven: { [id]: [] }, obliging: true });
	const used = await sendForm(service, `/boards/${id}/use`, { minutes: '5' }, sessions.free);
	const path = used.headers.get('location') ?? '';
	const text = async (path: string) => (await openPage(service, path, sessions.free)).text();
	await expect.poll(() => text(path), patient).toContain('Line to send');
	const fence = scripted.fence(id);
	const leaseId = path.slice('/leases/'.length);
	const write = (offset: number, data: string) => scripted.write(leaseId, { fence, offset, data });
	await write(0, `first line\n${'x'.repeat(1000)}\nlast line\n`);
	expect(await text(path)).toContain('first line');
	let end = 1022;
	for (const letter of 'abcdefghijklmnop') {
		const lines = `${letter.repeat(16 * 1024 - 3)}é\n`;
		await write(end, lines);
		end += 16 * 1024;
	}
	const shown = await text(path);
	expect(shown).toContain('the last 64 KiB of the console');
	const preOf = (html: string) =>
		/data-console-text="true"><code>([^<]*)<\/code>/.exec(html)?.[1] ?? '';
	expect(/^m{16381}é\nn{16381}é\no{16381}é\np{16381}é\n$/.test(preOf(shown))).toBe(true);
	const download = await text(`${path}/console.txt`);
	expect(/^first line[\s\S]*aaé\n[\s\S]*pé\n$/.test(download)).toBe(true);
	const events = await openPage(service, `${path}/events`, sessions.free);
	let sent = '';
	for await (const piece of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
		sent += piece;
		if (sent.includes(`"from":${end}`)) break;
	}
	expect(sent.length).toBeLessThan(128 * 1024);
	const outputs = [...sent.matchAll(/"output":"([^"]+)"/g)].map(([, text = '']) => text);
	const streamed = Buffer.concat(outputs.map((output) => Buffer.from(output, 'base64'))).toString();
	expect(/^m{16381}é\nn[\s\S]+pé\n$/.test(streamed)).toBe(true);
	// The last 64 KiB begin in the middle of a character.
	await write(end, 'é'.repeat(20 * 1024));
	await write(end + 40 * 1024, `${'é'.repeat(20 * 1024)}x`);
	await sendForm(service, `${path}/release`, { confirmed: 'true' }, sessions.free);
	const ended = await text(path);
	expect(/^é{32767}x$/.test(preOf(ended))).toBe(true);
	await scripted.cut();
});

test('the page of an ended lease tells a failure of the infrastructure from a normal end', async () => {
	const { lease } = await queuedView();
	const ended = (end_reason: NonNullable<Lease['end_reason']>) =>
		pageOf({ ...lease, status: 'ended', end_reason, end_message: 'The agent was silent.' }, 0);
	for (const reason of ['agent_lost', 'prepare_failed'] as const) {
		expect(ended(reason)).toContain('The infrastructure failed: this is not the result of your');
		expect(ended(reason)).toContain('The agent was silent.');
	}
	for (const reason of ['released', 'expired', 'cancelled', 'admin', 'no_board'] as const) {
		expect(ended(reason)).not.toContain('infrastructure');
		expect(ended(reason)).toMatch(/<p class="strip"><span><strong>(<bdi>)?[A-Z]/);
	}
	for (const reason of ['prepare_failed', 'expired'] as const) {
		expect(ended(reason)).toContain('<strong><bdi>The agent was silent.</bdi></strong>');
	}
});

test('the page shows how far a flash is while it runs, if its tool says so', () => {
	const action = {
		id: 'act_1',
		action: 'flash',
		phase: 'use',
		name: null,
		status: 'running',
		message: '',
		progress: 43,
		console_offset: null,
		requested_by: null,
		created_at: '2026-01-01T00:00:00Z',
		started_at: '2026-01-01T00:00:00Z',
		ended_at: null,
	} as const;
	const shown = (fields: object) =>
		String(StepList({ actions: [{ ...action, ...fields }], leaseId: 'lse_1' }));
	expect(shown({})).toContain('Running, 43 %');
	expect(shown({ progress: 0 })).toContain('Running, 0 %');
	expect(shown({ progress: null })).not.toContain('%');
	expect(shown({ status: 'failed' })).not.toContain('%');
});

/** The lease of somebody who waits for a busy board. */
async function queuedView() {
	const used = await sendForm(
		service,
		'/boards/brd_esp32-s3-02/use',
		{ minutes: '5' },
		sessions.paid,
	);
	const path = used.headers.get('location') ?? '';
	const response = await service.fetch(`${origin}/v1${path}`, {
		headers: { cookie: sessions.paid },
	});
	const read = lease.parse(await response.json());
	await sendForm(service, `${path}/release`, {}, sessions.paid);
	return { lease: read };
}

function pageOf(lease: Lease, time: number) {
	const unknown = { board: undefined, queue: undefined, chargedFrom: null };
	const unshared = { shares: [], watches: false };
	const view = {
		address: 'http://localhost/leases/lse_1',
		...unknown,
		...unshared,
		lease,
		time,
		actions: [],
		consoleEnd: 0,
		rate: 0,
		held: 0,
		cost: 0,
		credits: undefined,
		members: [],
	};
	const shown = { ...view, waiting: 0, inGrace: false, console: undefined, supported: undefined };
	return String(LeasePage(shown));
}

describeInBrowser('with an emulated board', () => {
	let address: string;
	let context: BrowserContext;
	let page: Page;
	const errors: string[] = [];

	beforeAll(async () => {
		address = await service.listen();
	});
	afterEach(async () => {
		const path = new URL(page.url()).pathname;
		await context.close();
		await sendForm(service, `${path}/release`, { confirmed: 'true' }, sessions.free);
	});

	const start = async (javaScriptEnabled: boolean) => {
		context = await newContext({ baseURL: address, javaScriptEnabled });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		page = await context.newPage();
		errors.splice(0);
		page.on('pageerror', (error) => errors.push(error.message));
		page.on('console', (message) => {
			if (message.type() === 'error') errors.push(message.text());
		});
		await page.goto(boardPath);
		await page.getByRole('button', { name: 'Use this board' }).click();
		await page.waitForURL('**/leases/lse_*');
	};

	const firmware = async () => ({
		name: 'blink.hex',
		mimeType: 'application/octet-stream',
		buffer: Buffer.from(await sampleFirmware('arduino-uno')),
	});

	test('a board is used with the live terminal', async () => {
		await start(true);
		const rows = page.locator('.xterm-rows');
		await rows.waitFor();
		await page.getByLabel('Firmware').setInputFiles(await firmware());
		await page.getByText('blink.hex is on the board.').waitFor();
		// The terminal draws only while it is in view.
		await rows.scrollIntoViewIfNeeded();
		await expect.poll(() => rows.textContent(), patient).toContain('Hello from Arduino Uno');
		await page.locator('.xterm-helper-textarea').focus();
		await page.keyboard.type('hello\r');
		// The board may have begun to reply before the line is shown as sent.
		const printed = async () => (await rows.textContent())?.replace('› hello', '');
		await expect.poll(printed, patient).toContain('HELLO');
		expect(await rows.evaluate((element) => getComputedStyle(element).color)).toBe(
			'rgb(244, 242, 239)',
		);

		const timeLeft = async () => (await page.locator('[data-countdown]').textContent()) ?? '';
		expect(Number.parseInt(await timeLeft(), 10)).toBeLessThanOrEqual(10);
		await page.getByRole('button', { name: '10 min' }).click();
		await page.getByText('The lease was renewed.').waitFor();
		await expect
			.poll(async () => Number.parseInt(await timeLeft(), 10), patient)
			.toBeGreaterThan(15);
		await page.getByRole('button', { name: 'Reset' }).click();
		await page.getByText('Reset is done.').waitFor();
		expect(await page.getByText('The action was sent to the board.').count()).toBe(0);

		// Evaluated, because the policy of the page forbids scripts from elsewhere.
		await page.evaluate(await readFile(axe, 'utf8'));
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			expect(await page.evaluate('axe.run().then(({ violations }) => violations)')).toEqual([]);
		}
		await page.setViewportSize({ width: 390, height: 844 });
		await page.emulateMedia({ colorScheme: 'light' });
		expect(
			await page.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			),
		).toBe(0);

		await page.getByRole('button', { name: 'Release' }).click();
		await page.getByText('You released the board.').waitFor();
		await rows.scrollIntoViewIfNeeded();
		await expect.poll(() => rows.textContent(), patient).toContain('HELLO');
		expect(errors).toEqual([]);
	});

	test('when a lease ends, the focus moves on only from what is gone', {
		tags: 'long',
	}, async () => {
		await start(true);
		await page.locator('.xterm-rows').waitFor();
		const endWithFocus = async (focused: Locator) => {
			await focused.focus();
			const path = new URL(page.url()).pathname;
			await sendForm(service, `${path}/release`, {}, sessions.free);
			await page.getByText('You released the board.').waitFor();
			return page.locator(':focus').textContent();
		};
		const release = page.getByRole('button', { name: 'Release' });
		expect(await endWithFocus(release)).toBe('Use it again');
		await context.close();
		await start(true);
		await page.locator('.xterm-rows').waitFor();
		const link = page.getByRole('link', { name: 'Leases', exact: true });
		expect(await endWithFocus(link)).toBe('Leases');
	});

	test('a damaged file is rejected with the reason', { tags: 'long' }, async () => {
		await start(true);
		await page.locator('.xterm-rows').waitFor();
		const file = { ...(await firmware()), buffer: Buffer.from(':10000000ZZ') };
		await page.getByLabel('Firmware').setInputFiles(file);
		await expect
			.poll(() => page.locator('[data-lease-alert]').textContent(), patient)
			.toMatch(/line 1/i);
		await page.getByRole('button', { name: 'Release' }).click();
		await page.getByText('You released the board.').waitFor();
	});

	test('a file of no known format is flashed only as a raw binary', { tags: 'long' }, async () => {
		await start(true);
		await page.locator('.xterm-rows').waitFor();
		const file = { ...(await firmware()), name: 'notes.txt', buffer: Buffer.from([1, 2, 3, 4]) };
		await page.getByLabel('Firmware').setInputFiles(file);
		const refusal = page.getByText('To flash its bytes as they are, choose “Raw binary”.');
		await refusal.waitFor();
		await page.getByLabel('Firmware').setInputFiles(file);
		await refusal.waitFor({ state: 'hidden' });
		await page.getByLabel('Raw binary').check();
		await page.getByRole('button', { name: 'Flash', exact: true }).click();
		await page.getByText('notes.txt is on the board.').waitFor();
	});

	test('after a file that was dropped is rejected, its menu flashes this file as a raw binary, once', {
		tags: 'long',
	}, async () => {
		await start(true);
		await page.getByLabel('Firmware').setInputFiles(await firmware());
		await page.getByText('blink.hex is on the board.').waitFor();
		const drop = () =>
			page.evaluate(() => {
				const dataTransfer = new DataTransfer();
				dataTransfer.items.add(new File(['# Notes'], 'notes.md'));
				const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
				document.querySelector('.side')?.dispatchEvent(event);
			});
		const menu = page.locator('.flash-body');
		const refusal = menu.getByText('notes.md: The file is neither Intel HEX, UF2 nor ELF.');
		const raw = page.getByLabel('Raw binary');
		await drop();
		await refusal.waitFor();
		expect(await page.locator('[data-lease-alert]').isHidden()).toBe(true);
		await raw.check();
		await page.getByRole('button', { name: 'Flash', exact: true }).click();
		await page.getByText('notes.md is on the board.').waitFor();
		expect(await raw.isChecked()).toBe(false);

		// Neither does what was chosen in a menu that has been closed apply.
		await page.locator('.flash summary').click();
		expect(await refusal.isHidden()).toBe(true);
		await raw.check();
		await page.keyboard.press('Escape');
		await drop();
		await refusal.waitFor();
		expect(await raw.isChecked()).toBe(false);
	});

	test('without JavaScript, the page has the record, the console so far and Release', async () => {
		await start(false);
		const text = page.locator('[data-console-text]');
		await expect
			.poll(async () => {
				await page.reload();
				return text.count();
			}, patient)
			.toBe(1);
		await page.locator('noscript p').waitFor();
		for (const name of ['Flash', 'Reset', '10 min', 'Erase…', 'Share']) {
			expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
		}
		expect(await page.getByLabel('Line to send').isHidden()).toBe(true);
		const path = new URL(page.url()).pathname;
		const body = Buffer.from(await sampleFirmware('arduino-uno'));
		const headers = { origin, cookie: sessions.free, 'content-type': 'application/octet-stream' };
		const sent = { method: 'POST', body, headers };
		const { id } = await (await service.fetch(`${origin}/v1${path}/files`, sent)).json();
		const flash = { action: 'flash', file_id: id };
		await sendJson(service, `POST ${path}/actions`, flash, sessions.free);
		const output = async () => {
			await page.reload();
			return text.textContent();
		};
		await expect.poll(output, patient).toContain('Hello from Arduino Uno');
		await page.getByRole('button', { name: 'Release' }).click();
		await page.getByText('You released the board.').waitFor();
		const download = await openPage(service, `${path}/console.txt`, sessions.free);
		expect(download.headers.get('content-disposition')).toContain('lse_');
		expect(await download.text()).toContain('Hello from Arduino Uno');
		await page.locator('[data-steps] > summary').click();
		const since = await page
			.getByRole('link', { name: 'Show the output since Flash' })
			.getAttribute('href');
		const own = await openPage(service, since ?? '', sessions.free);
		expect(await own.text()).toMatch(/^Hello from Arduino Uno\r\n/);
		await page.goto('/leases');
		expect(await page.getByRole('link', { name: 'uno-web' }).count()).toBeGreaterThan(0);
	});
});
