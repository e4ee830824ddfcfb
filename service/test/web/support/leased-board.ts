// A leased board whose agent the test controls, and pages of its lease in a browser.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startRelay } from '../../../../core/test/support/relay.ts';
import { createTestService } from '../../../src/testing.ts';
import { connectAgent, sendAs } from '../../support/scripted-agent.ts';
import { cookiesOf } from './browser-tests.ts';
import { addBoards, logInAll, origin, type Sessions, sendForm, sendJson } from './lab.ts';

export const patient = { timeout: 15_000 };
const boardId = 'brd_leased';

type NewContext = (options: BrowserContextOptions) => Promise<BrowserContext>;

/** Starts a service with one board, behind a relay. */
export async function startLeasedBoard(options: Parameters<typeof createTestService>[0] = {}) {
	const service = await createTestService({ agentTimeout: 600, ...options });
	const sessions = await logInAll(service);
	const boards = [{ id: boardId, name: 'leased', board_type: 'leased' }];
	const token = await addBoards(service, boards, sessions.admin);
	const driven = { [boardId]: ['reset', 'flash'] };
	const agent = await connectAgent(sendAs(origin, token, service.fetch), { driven });
	const { hostname: host, port } = new URL(await service.listen());
	const relay = await startRelay({ host, port: Number(port) });
	const address = `http://127.0.0.1:${relay.port}`;

	/** Takes the board for an account; its lease waits while another one has it. */
	const take = async (as: keyof Sessions) => {
		const headers = { cookie: sessions[as], origin, 'content-type': 'application/json' };
		const body = JSON.stringify({ board_id: boardId, minutes: 9, wait_seconds: 3600 });
		const created = await service.fetch(`${origin}/v1/leases`, { method: 'POST', headers, body });
		const { id } = (await created.json()) as { id: string };
		return { id, path: `/leases/${id}` };
	};

	/** Reports the steps of its preparation as done, once it has the board. Returns the fence. */
	const prepare = async (id: string) => {
		await expect.poll(() => agent.lease(boardId)?.id, patient).toBe(id);
		const fence = agent.fence(boardId);
		for (const step of agent.lease(boardId)?.actions ?? []) {
			await agent.report(step.id, { fence, status: 'done' });
		}
		return fence;
	};

	const release = (path: string, as: keyof Sessions) =>
		sendForm(service, `${path}/release`, { confirmed: 'true' }, sessions[as]);

	const openContext = async (newContext: NewContext, as: keyof Sessions) => {
		const context = await newContext({ baseURL: address, viewport: { width: 1440, height: 900 } });
		await context.addCookies(cookiesOf(sessions, as, address));
		return context;
	};

	const lease = async (newContext: NewContext) => {
		const { id, path } = await take('free');
		const fence = await prepare(id);
		const headers = { cookie: sessions.free };
		const read = async () => (await service.fetch(`${origin}/v1${path}`, { headers })).json();
		await expect.poll(read, patient).toMatchObject({ status: 'active' });
		const context = await openContext(newContext, 'free');
		const violations: string[] = [];
		let written = 0;
		const rows = (page: Page) => page.locator('.xterm-rows');
		return {
			path,
			context,
			/** What the Content-Security-Policy has blocked, and errors of scripts. */
			violations,
			typed: () => agent.input.get(id) ?? '',
			async open() {
				const page = await context.newPage();
				page.on('pageerror', (error) => violations.push(error.message));
				page.on('console', (message) => {
					if (/Content Security Policy/.test(message.text())) violations.push(message.text());
				});
				await page.goto(path);
				await rows(page).waitFor();
				return page;
			},
			rows,
			shows: (page: Page, text: string) =>
				expect.poll(() => rows(page).textContent(), patient).toContain(text),
			async write(text: string) {
				const data = new TextEncoder().encode(text);
				const { status } = await agent.write(id, { fence, offset: written, data });
				expect(status).toBe(200);
				written += data.length;
			},
			/** The end of what was written. */
			written: () => written,
			/** Requests an action, and returns a function that reports it. */
			async act(action: string) {
				const before = new Set(agent.lease(boardId)?.actions.map((one) => one.id));
				await sendJson(service, `POST ${path}/actions`, { action }, sessions.free);
				const find = () => agent.lease(boardId)?.actions.find((one) => !before.has(one.id))?.id;
				await expect.poll(find, patient).toBeDefined();
				const actionId = find() ?? '';
				return (body: object) => agent.report(actionId, { fence, ...body });
			},
			release: () => release(path, 'free'),
			async end() {
				await context.close();
				await release(path, 'free');
			},
		};
	};

	return {
		relay,
		agent,
		take,
		prepare,
		release,
		openContext,
		lease,
		async stop() {
			relay.close();
			await service.close();
		},
	};
}

export type LeasedBoard = Awaited<
	ReturnType<Awaited<ReturnType<typeof startLeasedBoard>>['lease']>
>;
