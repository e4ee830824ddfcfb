// @module-tag long
// The page of a lease whose board is prepared while somebody does something else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { patient, startLeasedBoard } from './support/leased-board.ts';

const newContext = useBrowser();

describeInBrowser('a board that is prepared', () => {
	let started: Awaited<ReturnType<typeof startLeasedBoard>>;
	beforeAll(async () => {
		started = await startLeasedBoard();
	});
	afterAll(() => started?.stop());

	test('its page is ready, also in a tab that nobody sees', { timeout: 60_000 }, async () => {
		const { agent, take, prepare, release, openContext } = started;
		const first = await take('paid');
		await prepare(first.id);
		const { id, path } = await take('free');
		await release(first.path, 'paid');
		const context = await openContext(newContext, 'free');
		await context.addInitScript(() => {
			Object.defineProperty(document, 'hidden', { get: () => true });
			Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
		});
		const page = await context.newPage();
		await page.goto(path);
		await page.locator('[data-lease-status=preparing]').waitFor();
		// Longer than a tab that nobody sees is followed otherwise.
		await page.waitForTimeout(11_000);
		const fence = await prepare(id);
		await page.locator('[data-lease-status=active]').waitFor();
		await context.close();

		// Its program asks where the cursor is: an answer of the terminal would begin the minutes.
		const looking = await openContext(newContext, 'free');
		const seen = await looking.newPage();
		await seen.goto(path);
		await seen.locator('.xterm-rows').waitFor();
		const write = (text: string, offset: number) =>
			agent.write(id, { fence, offset, data: new TextEncoder().encode(text) });
		const typed = () => agent.input.get(id) ?? '';
		await seen.waitForTimeout(500);
		await write('\x1b[6n asked', 0);
		await expect.poll(() => seen.locator('.xterm-rows').textContent(), patient).toContain('asked');
		await seen.waitForTimeout(500);
		expect(typed()).toBe('');
		await seen.getByRole('button', { name: 'Start now' }).click();
		await seen.getByRole('button', { name: 'Start now' }).waitFor({ state: 'detached' });
		await write('\x1b[6n', 10);
		await expect.poll(typed, patient).toBe('\x1b[1;7R');
		await looking.close();
	});
});
