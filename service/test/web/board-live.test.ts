// @module-tag long
// The board on the page of a lease: its LEDs and pins as the agent samples them, and what drives the pins.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { addBoards, logInAll, origin, type Sessions, sendForm } from './support/lab.ts';

const newContext = useBrowser();
const patient = { timeout: 15_000 };
const boardId = 'brd_drawn';
const pins = { names: ['D2', 'D3', 'D13', 'A0'], analog: ['A0'], volts: 5 };

const sampleOf = (led: number, used: object = {}) => ({
	power: true,
	leds: { ON: 1, L: led },
	pins: { D13: { mode: 'out', high: led }, ...used },
});

describeInBrowser('the board of a lease', () => {
	let service: TestService;
	let sessions: Sessions;
	let agent: Awaited<ReturnType<typeof connectAgent>>;
	let lease: string;
	let address: string;

	beforeAll(async () => {
		service = await createTestService({ agentTimeout: 600 });
		sessions = await logInAll(service);
		const boards = [{ id: boardId, name: 'drawn', board_type: 'arduino-uno-r3' }];
		const token = await addBoards(service, boards, sessions.admin);
		agent = await connectAgent(sendAs(origin, token, service.fetch), {
			driven: { [boardId]: ['reset'] },
			obliging: true,
			pins,
		});
		address = await service.listen();
	});
	afterAll(() => service?.close());

	beforeEach(async () => {
		const used = await sendForm(service, `/boards/${boardId}/use`, { minutes: '9' }, sessions.free);
		lease = used.headers.get('location') ?? '';
		const headers = { cookie: sessions.free };
		const read = async () => (await service.fetch(`${origin}/v1${lease}`, { headers })).json();
		await expect.poll(read, patient).toMatchObject({ status: 'active' });
		return async () => {
			await sendForm(service, `${lease}/release`, {}, sessions.free);
		};
	});

	const driven = () => agent.lease(boardId)?.driven_pins ?? {};
	const send = async (sample: object) => {
		const { status } = await agent.sample(
			lease.slice('/leases/'.length),
			agent.fence(boardId),
			sample,
		);
		expect(status).toBe(204);
	};

	async function openTab(options: Parameters<typeof newContext>[0] = {}) {
		const context: BrowserContext = await newContext({ baseURL: address, ...options });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		const page = await context.newPage();
		await page.goto(lease);
		await expect.poll(() => agent.lease(boardId)?.watched_ms ?? 0, patient).toBeGreaterThan(0);
		return page;
	}
	const led = (page: Page) => page.locator('[data-led=L] > g').getAttribute('opacity', patient);
	const rows = (page: Page) =>
		page
			.locator('[data-pins] tr')
			.evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
	let sampling: ReturnType<typeof setInterval>;
	/** Sends a sample again and again, since one that is not repeated is soon too old. */
	const showLed = async (page: Page, high: number, used = {}) => {
		clearInterval(sampling);
		sampling = setInterval(() => void send(sampleOf(high, used)).catch(() => {}), 200);
		await expect.poll(() => led(page), patient).toBe(String(high));
	};
	afterEach(() => clearInterval(sampling));

	test('an LED follows the board, and the words beside the drawing say so', async () => {
		const page = await openTab();
		for (const [high, word] of ['off', 'on'].entries()) {
			await showLed(page, high);
			const words = () => page.locator('[data-leds]').textContent();
			await expect.poll(words, patient).toBe(`LED ON is on. LED L is ${word}.`);
		}
		expect(await page.locator('[data-live-state]').textContent()).toBe('Live, from the emulator');
	});

	test('pins in use are marked, and have their mode, their trace and their value', async () => {
		const page = await openTab();
		const used = {
			D2: { mode: 'pull_up', high: 1 },
			D3: { mode: 'pwm', high: 0.54, hz: 490 },
			A0: { mode: 'analog', high: 0, volts: 2.31 },
		};
		await showLed(page, 1, used);

		expect(await rows(page)).toEqual([
			['D13', 'Out', '', 'high'],
			['D2', 'In, pull-up', '', 'high'],
			['D3', 'PWM 490 Hz', '', '54 %'],
			['A0', 'In, analog', '', '2.31 V'],
		]);
		const level = (name: string) =>
			page.locator(`[data-pin=${name}] .pin-level`).getAttribute('height');
		expect(Number(await level('D2'))).toBeCloseTo(5.4);
		expect(Number(await level('D3'))).toBeCloseTo(5.4 * 0.54);
		expect(Number(await level('A0'))).toBeCloseTo(5.4 * 0.462);
		const mark = page.locator('[data-pin=D7] .pin-mark');
		expect(await mark.getAttribute('visibility')).toBe('hidden');
		await expect
			.poll(() => page.locator('.pin-trace polyline').first().getAttribute('points'), patient)
			.toMatch(/^[\d.]+,1 .*120,1$/);
	});

	test('a tab that is opened later shows the last state at once', async () => {
		const page = await openTab();
		await showLed(page, 1);
		const later = await page.context().newPage();
		await later.goto(lease);
		await expect.poll(() => led(later), patient).toBe('1');
	});

	test('the button pulls its pin low for as long as it is pressed, also by the keyboard', async () => {
		const page = await openTab();
		await showLed(page, 1, { D3: { mode: 'pull_up', high: 1 } });
		const press = page.getByRole('button', { name: 'Press' });
		const pin = page.getByLabel('Button', { exact: true });
		await expect.poll(() => pin.inputValue(), patient).toBe('D3');
		await press.hover();
		await page.mouse.down();
		await expect.poll(driven, patient).toEqual({ D3: 0 });
		await page.mouse.up();
		await expect.poll(driven, patient).toEqual({});
		await page.mouse.move(0, 0);
		await press.focus();
		await page.keyboard.down('Space');
		await expect.poll(driven, patient).toEqual({ D3: 0 });
		await page.keyboard.up('Space');
		await expect.poll(driven, patient).toEqual({});
	});

	test('the potentiometer drives its pin', async () => {
		const page = await openTab();
		const slider = page.getByLabel('Voltage');
		await slider.fill('2.5');
		await expect.poll(driven, patient).toEqual({ A0: 2.5 });
		expect(await page.locator('[name=volts] + output').textContent()).toBe('2.50 V');
	});

	test('the pin of the button is set, and let go', async () => {
		const page = await openTab();
		await page.getByRole('button', { name: 'High', exact: true }).click();
		await expect.poll(driven, patient).toEqual({ D13: 5 });
		await page.getByRole('button', { name: 'Let go' }).click();
		await expect.poll(driven, patient).toEqual({});
	});

	test('with reduced motion, the drawing changes every two seconds', async () => {
		const page = await openTab();
		await page.emulateMedia({ reducedMotion: 'reduce' });
		await page.clock.install();
		await page.reload();
		await page.clock.pauseAt(new Date(Date.now() + 60_000));
		const other = await page.context().newPage();
		await other.goto(lease);
		await showLed(other, 1);
		await page.clock.runFor(2_500);
		await expect.poll(() => led(page), patient).toBe('1');
		await showLed(other, 0);

		expect(await led(page)).toBe('1');
		await page.clock.runFor(2_500);
		await expect.poll(() => led(page), patient).toBe('0');
	});
});
