// A form that is sent twice changes a lease once: double clicks, the back button, repeated requests.

import type { startAgent } from 'board-access-agent';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { cookiesOf, describeInBrowser, useBrowser } from './support/browser-tests.ts';
import { emulatedBoard, startEmulatedBoard } from './support/emulated-board.ts';
import { logInAll, openPage, origin, type Sessions, sendForm } from './support/lab.ts';

const newContext = useBrowser();
const patient = { timeout: 15_000 };
const boardPath = `/boards/${emulatedBoard.id}`;
const freePath = '/boards/brd_esp32-s3-01';
const busyPath = '/boards/brd_esp32-s3-02';
let service: TestService;
let sessions: Sessions;
let agent: Awaited<ReturnType<typeof startAgent>>;

beforeAll(async () => {
	service = await createTestService();
	sessions = await logInAll(service);
	agent = await startEmulatedBoard(service, sessions.admin);
});
afterEach(async () => {
	for (const { id } of await liveLeases()) {
		await sendForm(service, `/leases/${id}/release`, { confirmed: 'true' }, sessions.free);
	}
});
afterAll(async () => {
	await agent?.stop();
	await service?.close();
});

const read = async (path: string) =>
	(await service.fetch(`${origin}/v1${path}`, { headers: { cookie: sessions.free } })).json();

async function liveLeases(): Promise<{ id: string; status: string; expires_at: string }[]> {
	const { data } = await read('/leases');
	return data.filter(({ status }: { status: string }) => status !== 'ended');
}

const show = async (path: string) => (await openPage(service, path, sessions.free)).text();

/** The token of the form on a page that is sent to this address. */
async function tokenOf(page: string, action: string) {
	const [, form = ''] = (await show(page)).split(`action="${action}"`);
	return /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

async function activeLease() {
	const fields = { minutes: '5', token: await tokenOf(boardPath, `${boardPath}/use`) };
	await sendForm(service, `${boardPath}/use`, fields, sessions.free);
	await expect.poll(async () => (await liveLeases())[0]?.status, patient).toBe('active');
	const [{ id } = { id: '' }] = await liveLeases();
	return `/leases/${id}`;
}

const useActions = async (lease: string) => {
	const { data } = await read(`${lease}/actions`);
	return data
		.filter(({ phase }: { phase: string }) => phase === 'use')
		.map(({ action }: { action: string }) => action);
};

test('the form of a board, sent twice at once, creates one lease and redirects to it twice', async () => {
	const path = `${busyPath}/use`;
	const fields = { minutes: '5', token: await tokenOf(busyPath, path) };
	const send = () => sendForm(service, path, fields, sessions.free);
	const responses = await Promise.all([send(), send()]);
	const [lease, ...others] = await liveLeases();
	expect(others).toEqual([]);
	for (const response of [...responses, await send()]) {
		expect([response.status, response.headers.get('location')]).toEqual([
			303,
			`/leases/${lease?.id}`,
		]);
	}
	const sendOther = () => sendForm(service, path, { ...fields, minutes: '6' }, sessions.free);
	expect(await (await sendOther()).text()).toContain('You are waiting for this board');
	await sendForm(service, `/leases/${lease?.id}/release`, {}, sessions.free);
	const refused = await sendOther();
	expect(refused.status).toBe(422);
	expect(await refused.text()).toContain('already started a lease with other minutes');
	expect(await liveLeases()).toEqual([]);
});

test('going back from the queue leads to the lease that waits, without a form', async () => {
	await sendForm(service, `${busyPath}/use`, { minutes: '5' }, sessions.free);
	const [lease] = await liveLeases();
	const page = await show(busyPath);
	expect(page).toContain('You are waiting for this board');
	expect(page).toContain(`href="/leases/${lease?.id}"`);
	expect(page).not.toContain('Queue for this board');
	expect(await (await openPage(service, busyPath, sessions.paid)).text()).toContain(
		'Queue for this board',
	);
});

/** The name of the sentence that the next page shows. */
const noticeOf = ({ headers }: Response) =>
	/board_access\.notice=([\w-]+)/.exec(headers.getSetCookie().join())?.[1];

test('a renewal that gains nothing, and a lease that had ended, are reported', async () => {
	const limited = await createTestService({ leaseMaxMinutes: 6 });
	const { free, admin } = await logInAll(limited);
	const started = await sendForm(limited, `${freePath}/use`, { minutes: '5' }, free);
	const lease = started.headers.get('location') ?? '';
	const renewed = [];
	for (const _ of [1, 2]) {
		const response = await sendForm(limited, `${lease}/renew`, {}, free);
		renewed.push((await response.json()).is_renewed);
	}
	expect(renewed).toEqual([true, false]);
	await limited.fetch(`${origin}/v1/admin${lease}`, {
		method: 'DELETE',
		headers: { cookie: admin, origin },
	});
	const released = await sendForm(limited, `${lease}/release`, {}, free);
	expect(noticeOf(released)).toBe('lease-had-ended');
	await limited.close();
});

test('a renewal adds ten minutes to the end, once however often it is sent', async () => {
	const lease = await activeLease();
	const end = async () => Date.parse((await liveLeases())[0]?.expires_at ?? '');
	const before = await end();
	for (const _ of [1, 2]) {
		await service.fetch(`${origin}${lease}/renew`, {
			method: 'POST',
			headers: { origin, cookie: sessions.free, 'idempotency-key': 'renew once' },
		});
	}
	expect((await end()) - before).toBe(10 * 60_000);
});

describeInBrowser('in a browser', () => {
	let address: string;
	beforeAll(async () => {
		address = await service.listen();
	});

	const open = async (javaScriptEnabled: boolean, path: string) => {
		const context = await newContext({ baseURL: address, javaScriptEnabled });
		await context.addCookies(cookiesOf(sessions, 'free', address));
		const page = await context.newPage();
		await page.goto(path);
		return page;
	};

	test.each([true, false])(
		'a double click and the way back make one lease (JavaScript: %s)',
		async (javaScriptEnabled) => {
			const page = await open(javaScriptEnabled, busyPath);
			await page.getByRole('button', { name: 'Queue for this board' }).dblclick();
			// Without a script, the second click replaces the navigation of the first, which then fails.
			await expect.poll(() => page.url(), patient).toMatch(/\/leases\/lse_/);
			await page.goBack();
			await page.getByText('You are waiting for this board').waitFor();
			expect(await liveLeases()).toHaveLength(1);
			await page.context().close();
		},
	);

	test('a double click on a button of the board is one action, a later click another', {
		tags: 'long',
	}, async () => {
		const lease = await activeLease();
		const page = await open(true, lease);
		await page.getByRole('button', { name: 'Reset' }).dblclick();
		await page.getByText('Reset is done.').waitFor();
		expect(await useActions(lease)).toEqual(['reset']);
		await page.getByRole('button', { name: 'Reset' }).click();
		await expect.poll(() => useActions(lease), patient).toEqual(['reset', 'reset']);
		await page.context().close();
	});
});
