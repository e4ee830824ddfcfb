// @module-tag long
// The lease page as a workbench: what it shows of time, cost and steps, and how it behaves in a browser.

import { brotliCompressSync } from 'node:zlib';
import { sampleFirmware } from 'board-access-agent/samples';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LeaseAction, LeaseView } from '../../../core/src/leases/view.ts';
import { LeasePage } from '../../../web/src/leases/workbench/lease-page.tsx';
import { createTestService, type TestService } from '../../src/testing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import {
	addBoards,
	logInAll,
	openPage,
	origin,
	type Sessions,
	sendForm,
	sendJson,
} from './support/lab.ts';

const patient = { timeout: 15_000 };
const boardId = 'brd_bench';
let service: TestService;
let sessions: Sessions;
let agent: Awaited<ReturnType<typeof connectAgent>>;

beforeAll(async () => {
	service = await createTestService({ agentTimeout: 600 });
	sessions = await logInAll(service);
	const boards = [{ id: boardId, name: 'bench', board_type: 'bench' }];
	const token = await addBoards(service, boards, sessions.admin);
	// Nothing prepares the board, and no action ends before a test reports it.
	agent = await connectAgent(sendAs(origin, token, service.fetch), {
		driven: { [boardId]: ['flash', 'erase'] },
	});
});
afterAll(() => service?.close());

const view: LeaseView = {
	shares: [],
	members: [],
	watches: false,
	lease: {
		id: 'lse_1',
		group_id: null,
		role: null,
		status: 'active',
		access: 'hold',
		holder_email: null,
		board_id: boardId,
		board_type: 'bench',
		label: 'thermo bring-up',
		queue_position: null,
		minutes: 30,
		created_at: '2026-01-01T12:00:00.000Z',
		started_at: '2026-01-01T12:00:00.000Z',
		expires_at: '2026-01-01T12:30:00.000Z',
		expires_in_ms: 11 * 60_000 + 41_000,
		preparation_expires_at: null,
		ended_at: null,
		end_reason: null,
		end_message: null,
		credits: null,
		console_status: null,
		console_message: null,
		console_lost_at: null,
		console_gap_offset: null,
		console_gap_ms: null,
		halted_by: null,
	},
	consoleEnd: 924,
	rate: 2,
	held: 60,
	cost: 38,
	credits: undefined,
	actions: [],
	board: undefined,
	queue: undefined,
	waiting: 0,
	chargedFrom: '2026-01-01T12:00:00.000Z',
	inGrace: false,
	time: Date.parse('2026-01-01T12:18:19.000Z'),
};

const action: LeaseAction = {
	id: 'act_1',
	action: 'flash',
	phase: 'use',
	name: null,
	status: 'done',
	message: '',
	progress: null,
	console_offset: null,
	requested_by: null,
	created_at: '2026-01-01T12:10:00.000Z',
	started_at: '2026-01-01T12:10:00.000Z',
	ended_at: '2026-01-01T12:10:04.500Z',
};

interface Shown extends Partial<Omit<LeaseView, 'lease'>> {
	lease?: object;
	console?: string | undefined;
}

/** What the page says, as text. */
function textOf({ lease, ...rest }: Shown) {
	const shown = { console: '', ...view, ...rest, lease: { ...view.lease, ...lease } };
	const html = String(LeasePage({ ...shown, address: '', supported: undefined }));
	return html.replace(/<(?:span|strong|bdi|time)[^>]*>|<\/(?:span|strong|bdi|time)>/g, '');
}

test('an active lease shows its time, what it has cost so far and what is held', () => {
	const text = textOf({});
	expect(text).toContain('11:41 left of 30 min');
	expect(text).toContain('38 of 60 held credits, 2 a minute');
	expect(text).toContain('thermo bring-up');
});

test('an ended lease shows what was used, charged and returned, and offers the board again', () => {
	const ended_at = '2026-01-01T12:18:20.000Z';
	const lease = { status: 'ended', end_reason: 'released', ended_at, credits: 38 };
	const text = textOf({ lease, held: 0, cost: 60 });
	expect(text).toContain('18:20 used');
	expect(text).toContain('38 credits, 22 returned');
	expect(text).toContain('The console is kept until Jan 2, 12:18 UTC.');
	expect(text).toContain('Use it again');
	expect(textOf({ lease, consoleEnd: 0 })).not.toContain('The console is kept');
});

test('a lease whose minutes have not begun shows what is held for them', () => {
	const lease = { expires_at: '2026-01-01T12:49:00.000Z' };
	const text = textOf({ lease, chargedFrom: '2026-01-01T12:19:00.000Z', inGrace: true });
	expect(text).toContain('30 min not begun');
	expect(text).toContain('60 credits held');
	expect(text).toContain('Your minutes begin in 0:41, or when you use the board');
});

test('the price of ten more minutes is on the button that renews', () => {
	expect(textOf({})).toContain('10 min, 20 credits');
	expect(textOf({ lease: { expires_in_ms: 119_000 } })).toContain('lease-actions soon');
	expect(textOf({})).not.toContain('lease-actions soon');
	expect(textOf({ rate: 0, held: 0 })).not.toContain('credits');
});

test('a step that has a name is called by it, and firmware is flashed', () => {
	const reset = { ...action, action: 'reset', phase: 'prepare' } as const;
	const erase = { ...action, action: 'erase', phase: 'prepare', name: 'Erase all flash' } as const;
	const flash = { ...action, id: 'act_2', phase: 'prepare', name: 'Ticking clock' } as const;
	const prepared = textOf({ actions: [reset, erase, flash] }).replace(/\s+/g, ' ');
	expect(prepared).toMatch(/Reset.*Erase all flash.*Flash.*Ticking clock/);
	expect(prepared).toContain('Steps 3');
	const preparing = textOf({ lease: { status: 'preparing' }, actions: [erase, flash] });
	const failed = textOf({ actions: [{ ...erase, status: 'failed', message: 'No answer' }] });
	expect(failed).toContain('No answer');
	for (const text of [prepared, preparing, failed]) expect(text).not.toMatch(/Erase\s+Erase/);
});

test('a preparation shows how long each step took, or usually takes', () => {
	const step = { ...action, phase: 'prepare' } as const;
	const steps: LeaseAction[] = [
		{ ...step, action: 'power_cycle', ended_at: '2026-01-01T12:10:01.200Z' },
		{
			...step,
			id: 'act_2',
			name: 'Ticking clock',
			status: 'running',
			ended_at: null,
			usually: 3_400,
		},
		{ ...step, id: 'act_3', action: 'reset', status: 'queued', ended_at: null },
	];
	const text = textOf({ lease: { status: 'preparing' }, actions: steps });
	expect(text).toMatch(/Power cycle\s+1\.2 s/);
	expect(text).toMatch(/Flash Ticking clock\s*usually 3\.4 s/);
	expect(text).not.toMatch(/Reset\s*usually/);
	expect(text).toContain('Nothing is charged until the board is ready.');
});

test('the steps have the name of the file, what was written and how long that took', () => {
	const flash = { ...action, name: 'thermo.hex', message: '9,214 bytes written' };
	const text = textOf({ actions: [flash] });
	expect(text).toContain('thermo.hex, 9,214 bytes written');
	expect(text).toContain('4.5 s');
	expect(textOf({ actions: [{ ...flash, status: 'failed' }] })).toContain(
		'thermo.hex: 9,214 bytes written',
	);
});

/** An active lease of the board. */
async function startLease() {
	const used = await sendForm(service, `/boards/${boardId}/use`, { minutes: '9' }, sessions.free);
	const lease = used.headers.get('location') ?? '';
	const read = async () => (await openPage(service, lease, sessions.free)).text();
	await expect.poll(read, patient).toContain('Line to send');
	return lease;
}

const endLease = (lease: string) =>
	sendForm(service, `${lease}/release`, { confirmed: 'true' }, sessions.free);

test('a release asks while an action runs, and otherwise does not', async () => {
	const lease = await startLease();
	await sendJson(service, `POST ${lease}/actions`, { action: 'erase' }, sessions.free);
	const asked = await sendForm(service, `${lease}/release`, {}, sessions.free);
	expect(await asked.text()).toContain('An action is still running on it.');
	expect((await openPage(service, lease, sessions.free)).status).toBe(200);
	const released = await endLease(lease);
	expect(released.status).toBe(303);
	const other = await startLease();
	expect((await sendForm(service, `${other}/release`, {}, sessions.free)).status).toBe(303);
});

describeInBrowser('in a browser', () => {
	const newContext = useBrowser();
	let address: string;
	let lease: string;
	let page: Page;

	beforeAll(async () => {
		address = await service.listen();
	});
	beforeEach(async () => {
		lease = await startLease();
		const context = await newContext({ baseURL: address });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		page = await context.newPage();
	});
	afterEach(async () => {
		await page.context().close();
		await endLease(lease);
	});

	test('the page is as high as the window at every size, with the console in view', async () => {
		await page.goto(lease);
		const sizes = [
			[1440, 900],
			[1024, 768],
			[390, 844],
			[2560, 1300],
		] as const;
		for (const [width, height] of sizes) {
			await page.setViewportSize({ width, height });
			const scrolled = await page.evaluate(() => {
				const { scrollWidth, scrollHeight } = document.documentElement;
				return [scrollWidth, scrollHeight];
			});
			expect(scrolled).toEqual([width, height]);
			const box = await page.locator('.console').boundingBox();
			expect(box?.y).toBeLessThan(height / 5);
			expect(box?.height).toBeGreaterThan(height * 0.7);
			expect(box?.width).toBeGreaterThan(width * 0.69);
		}
	});

	test('the form of the firmware is within a window that is as low as at 400 % zoom', async () => {
		await page.setViewportSize({ width: 320, height: 256 });
		await page.goto(lease);
		await page.getByText('Flash…').last().click();
		const box = await page.locator('.flash-body').boundingBox();
		expect(box?.y).toBeGreaterThanOrEqual(0);
		const flash = page.getByRole('button', { name: 'Flash', exact: true });
		await flash.scrollIntoViewIfNeeded();
		expect((await flash.boundingBox())?.y).toBeLessThan(256);
	});

	test('the menu offers to drop a file only where there is a mouse', async () => {
		await page.goto(lease);
		await page.getByText('options').locator('..').click();
		const offer = 'You can also drop the file on the page.';
		await page.getByText(offer).waitFor();
		const context = await newContext({ baseURL: address, hasTouch: true, isMobile: true });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		const phone = await context.newPage();
		await phone.goto(lease);
		await phone.getByText('options').locator('..').click();
		await phone.getByText('Intel HEX, UF2 or ELF, at most 16 MiB.').last().waitFor();
		expect(await phone.getByText(offer).isHidden()).toBe(true);
		await context.close();
	});

	test('the first Tab skips to the actions, and the second one is in the console', async () => {
		await page.goto(lease);
		await page.locator('.xterm-rows').waitFor();
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		await page.keyboard.press('Tab');
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
			'Skip to the actions',
		);
		await page.keyboard.press('Tab');
		const isInConsole = () => document.activeElement?.closest('.console') !== null;
		expect(await page.evaluate(isInConsole)).toBe(true);
	});

	test('a file that is dropped anywhere is flashed under its name', async () => {
		await page.goto(lease);
		await page.locator('[data-choose]').waitFor();
		const text = String(await sampleFirmware('arduino-uno'));
		const drag = (type: string) =>
			page.evaluate(
				([type, text]) => {
					const dataTransfer = new DataTransfer();
					dataTransfer.items.add(new File([text], 'thermo.hex'));
					const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
					document.querySelector('.side')?.dispatchEvent(event);
				},
				[type, text] as const,
			);
		await drag('dragover');
		await page.getByText('Drop to flash bench').waitFor();
		await drag('drop');
		await page.locator('[data-flash-text]').getByText('Flashing').waitFor();
		const flash = () => agent.lease(boardId)?.actions.find(({ action }) => action === 'flash');
		await expect.poll(flash, patient).toBeDefined();
		const fence = agent.fence(boardId);
		const { id: done = '' } = flash() ?? {};
		await agent.report(done, { fence, status: 'done', message: '924 bytes written' });
		await page.getByText('thermo.hex is on the board.').waitFor();
		await page.locator('[data-steps] > summary').click();
		await page.getByText('thermo.hex, 924 bytes written').waitFor();

		const ofFlash = () =>
			agent.lease(boardId)?.actions.filter(({ action }) => action === 'flash') ?? [];
		await page.getByText('options').locator('..').click();
		await page.getByRole('button', { name: 'Flash', exact: true }).click();
		const again = () => ofFlash().find(({ id }) => id !== done);
		await expect.poll(again, patient).toMatchObject({ action: 'flash' });
	});

	test('the newest step stays in view, unless one has scrolled up', async () => {
		await page.goto(lease);
		await page.locator('[data-steps] > summary').click();
		const list = page.locator('.step-list');
		const erase = (times: number) => {
			const request = () =>
				sendJson(service, `POST ${lease}/actions`, { action: 'erase' }, sessions.free);
			return Promise.all(Array.from({ length: times }, request));
		};
		await erase(12);
		await expect.poll(() => list.locator('li').count(), patient).toBe(12);
		const last = list.locator('li').last();
		const isInView = () =>
			last.evaluate((item) => {
				const { bottom } = item.parentElement?.parentElement?.getBoundingClientRect() ?? {
					bottom: 0,
				};
				return item.getBoundingClientRect().top < bottom;
			});
		await expect.poll(isInView).toBe(true);
		await page.locator('[data-steps] > summary').click();
		await page.locator('[data-steps] > summary').click();
		await expect.poll(isInView).toBe(true);
		await list.evaluate((element) => element.scrollTo(0, -1_000));
		await page.waitForTimeout(100);
		await erase(3);
		await expect.poll(() => list.locator('li').count(), patient).toBe(15);
		expect(await isInView()).toBe(false);
	});

	test('an erase asks first, and again when it was cancelled', async () => {
		await page.goto(lease);
		const erases = () => agent.lease(boardId)?.actions.map(({ action }) => action) ?? [];
		const ask = async () => {
			await page.getByText('options').locator('..').click();
			await page.getByRole('button', { name: 'Erase…' }).click();
			await page.getByText('Erase the flash of the board?').waitFor();
		};
		await page.locator('.xterm-rows').waitFor();
		await ask();
		await page.getByRole('button', { name: 'Cancel' }).click();
		await ask();
		expect(erases()).not.toContain('erase');
		await page.getByRole('button', { name: 'Erase', exact: true }).click();
		await expect.poll(erases, patient).toContain('erase');
		expect(await page.getByText('Erase the flash of the board?').isHidden()).toBe(true);
	});

	test('the page takes at most 160 kB in at most 12 requests', async () => {
		const sizes: Promise<number>[] = [];
		page.on('response', (response) => {
			const isStream = response.url().includes('/events');
			const body = isStream ? Buffer.of() : response.body().catch(() => Buffer.of());
			sizes.push(Promise.resolve(body).then((body) => brotliCompressSync(body).length));
		});
		const last = page.waitForResponse(/\/v1\/leases\//);
		await page.goto(lease);
		await page.locator('.xterm-rows').waitFor();
		await last;
		const sum = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
		expect(sum).toBeGreaterThan(100_000);
		expect(sum).toBeLessThanOrEqual(160_000);
		expect(sizes.length).toBeLessThanOrEqual(12);
	});
});
