// The page of a lease whose board is prepared while somebody does something else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { addBoards, logInAll, origin, type Sessions, sendForm } from './support/lab.ts';
import { patient } from './support/leased-board.ts';

const newContext = useBrowser();
const boardId = 'brd_slow';

describeInBrowser('a board that is prepared', () => {
	let service: TestService;
	let sessions: Sessions;
	let agent: Awaited<ReturnType<typeof connectAgent>>;

	beforeAll(async () => {
		service = await createTestService({ agentTimeout: 600 });
		sessions = await logInAll(service);
		const boards = [{ id: boardId, name: 'slow', board_type: 'slow' }];
		const token = await addBoards(service, boards, sessions.admin);
		const driven = { [boardId]: ['reset'] };
		agent = await connectAgent(sendAs(origin, token, service.fetch), { driven });
	});
	afterAll(() => service?.close());

	test('its page is ready, also in a tab that nobody sees', { timeout: 60_000 }, async () => {
		const take = async (cookie: string) => {
			const headers = { cookie, origin, 'content-type': 'application/json' };
			const body = JSON.stringify({ board_id: boardId, minutes: 9, wait_seconds: 3600 });
			const response = await service.fetch(`${origin}/v1/leases`, {
				method: 'POST',
				headers,
				body,
			});
			return `/leases/${((await response.json()) as { id: string }).id}`;
		};
		const prepare = async (lease: string) => {
			await expect
				.poll(() => agent.lease(boardId)?.id, patient)
				.toBe(lease.slice('/leases/'.length));
			const fence = agent.fence(boardId);
			for (const step of agent.lease(boardId)?.actions ?? []) {
				await agent.report(step.id, { fence, status: 'done' });
			}
			return fence;
		};
		const first = await take(sessions.paid);
		await prepare(first);
		const lease = await take(sessions.free);
		await sendForm(service, `${first}/release`, { confirmed: 'true' }, sessions.paid);
		const address = await service.listen();
		const context = await newContext({ baseURL: address });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		await context.addInitScript(() => {
			Object.defineProperty(document, 'hidden', { get: () => true });
			Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
		});
		const page = await context.newPage();
		await page.goto(lease);
		await page.locator('[data-lease-status=preparing]').waitFor();
		// Longer than a tab that nobody sees is followed otherwise.
		await page.waitForTimeout(11_000);
		const fence = await prepare(lease);
		await page.locator('[data-lease-status=active]').waitFor();
		await context.close();

		// Its program asks where the cursor is: an answer of the terminal would begin the minutes.
		const looking = await newContext({ baseURL: address });
		await looking.addCookies(cookiesOf(sessions, 'free', address));
		const seen = await looking.newPage();
		await seen.goto(lease);
		await seen.locator('.xterm-rows').waitFor();
		const write = async (text: string, offset: number) => {
			const [id, data] = [lease.slice('/leases/'.length), new TextEncoder().encode(text)];
			await agent.write(id, { fence, offset, data });
		};
		const typed = () => agent.input.get(lease.slice('/leases/'.length)) ?? '';
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
