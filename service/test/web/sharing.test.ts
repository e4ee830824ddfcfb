// The page of a lease for its holder, for colleagues with whom it is shared, and for administrators.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestService, type TestService } from '../../src/testing.ts';
import { connectAgent, sendAs } from '../support/scripted-agent.ts';
import { describeInBrowser, useBrowser } from './support/browser-tests.ts';
import {
	addBoards,
	logInAll,
	openPage,
	origin,
	sendForm,
	sendJson,
	sessionOf,
	signUp,
} from './support/lab.ts';

const newContext = useBrowser();
const patient = { timeout: 15_000 };
const boardId = 'brd_shared';
const password = 'a long sentence';

describe('a shared lease', () => {
	let service: TestService;
	let agent: Awaited<ReturnType<typeof connectAgent>>;
	let lease: string;
	const cookies: Record<string, string> = {};

	beforeAll(async () => {
		service = await createTestService({ agentTimeout: 600 });
		const sessions = await logInAll(service);
		Object.assign(cookies, {
			holder: sessions.free,
			stranger: sessions.paid,
			admin: sessions.admin,
		});
		for (const name of ['looker', 'typist']) cookies[name] = await createColleague(name);
		const boards = [{ id: boardId, name: 'shared', board_type: 'arduino-uno-shared' }];
		const token = await addBoards(service, boards, cookies.admin ?? '');
		agent = await connectAgent(sendAs(origin, token, service.fetch), {
			driven: { [boardId]: ['reset', 'flash', 'erase', 'power_off'] },
			obliging: true,
			pins: { names: ['D2', 'D3', 'D4'], analog: ['A0'], volts: 5 },
		});
		const used = await send('holder', `/boards/${boardId}/use`, { minutes: '9' });
		lease = used.headers.get('location') ?? '';
		const isActive = async () =>
			expect(await text('holder')).toContain('data-lease-status="active"');
		await vi.waitFor(isActive, patient);
		await share(lease, { email: 'looker@example.com', access: 'look' });
		await share(lease, { email: 'Typist@Example.com', access: 'type' });
	});
	afterAll(() => service?.close());

	/** An account whose address counts as verified, because an administrator has set it. */
	async function createColleague(name: string) {
		await signUp(service, `${name}@signup.example`);
		const list = await (await openPage(service, `/admin/accounts?q=${name}`, cookies.admin)).text();
		const [, account = ''] = /href="(\/admin\/accounts\/acc_[^"]+)"/.exec(list) ?? [];
		const email = `${name}@example.com`;
		const proof = { email, confirmation: service.demo.password };
		const changed = await sendForm(service, `${account}/email`, proof, cookies.admin);
		cookies.admin = sessionOf(changed) || (cookies.admin ?? '');
		return sessionOf(await sendForm(service, '/login', { email, password }));
	}

	const send = (who: string, path: string, fields: Record<string, string> = {}) =>
		sendForm(service, path, fields, cookies[who]);
	const share = (path: string, input: object) =>
		sendJson(service, `PUT ${path}/shares`, input, cookies.holder);
	const text = async (who: string, path = lease) =>
		(await openPage(service, path, cookies[who])).text();

	const parts = {
		entry: 'data-console-input',
		pins: 'data-press',
		reset: 'data-do="reset"',
		power: 'data-do="power_off"',
		flash: 'data-upload',
		drop: 'data-drop',
		extend: 'data-do="renew"',
		release: '/release"',
		share: 'data-do="share"',
		end: '/end"',
	};
	const typing = ['entry', 'pins', 'reset'];
	const holding = ['power', 'flash', 'drop', 'extend', 'release', 'share'];

	test.each([
		['holder', [...typing, ...holding], 'Shared with 2'],
		['typist', typing, 'You can type, shared by <bdi>ada@example.com</bdi>'],
		['looker', [], 'You can look, shared by <bdi>ada@example.com</bdi>'],
		['admin', ['end'], 'Watching <bdi>ada@example.com</bdi>'],
	])('the page of a %s has what they may do', async (who, expected, words) => {
		const html = await text(who);
		const found = Object.entries(parts).filter(([, mark]) => html.includes(mark));
		expect(found.map(([name]) => name).toSorted()).toEqual(expected.toSorted());
		expect(html).toContain(words);
		expect(html).toContain('data-console');
	});

	test('a colleague reads no address but that of the holder', async () => {
		expect(await text('looker')).not.toMatch(/typist@|grace@/);
		expect(await text('typist')).not.toMatch(/looker@|grace@/);
	});

	test.each(['', '/events', '/console.txt'])(
		'for a stranger, %s of the lease does not exist',
		async (path) => {
			const { status } = await openPage(service, lease + path, cookies.stranger);
			expect(status).toBe(404);
		},
	);

	test.each([
		['/release', {}],
		['/renew', {}],
		['/start', {}],
	])('%s is for the holder', async (path, fields) => {
		for (const who of ['looker', 'typist', 'admin', 'stranger']) {
			const { status } = await send(who, lease + path, fields);
			expect({ who, status }).toEqual({ who, status: who === 'stranger' ? 404 : 403 });
		}
		expect(await text('holder')).toContain('Shared with 2');
	});

	test('the list of leases has those that are shared', async () => {
		const list = await text('looker', '/leases');
		expect(list).toContain('Shared with you');
		expect(list).toContain(`href="${lease}"`);
		expect(list).toMatch(/<th [^>]*>Shared by<.*<bdi>ada@example.com<\/bdi>/s);
		expect(await text('stranger', '/leases')).not.toContain('Shared with you');
		expect(await text('admin', '/admin/leases')).toContain(`href="${lease}"`);
	});

	test('the list cuts the label of somebody else, and a colleague leaves', async () => {
		const label = 'x'.repeat(200);
		const wanted = { board_type: 'arduino-uno-shared', wait_seconds: 600, label };
		const created = await service.fetch(`${origin}/v1/leases`, {
			method: 'POST',
			headers: { cookie: cookies.holder ?? '', origin, 'content-type': 'application/json' },
			body: JSON.stringify(wanted),
		});
		const queued = `/leases/${(await created.json()).id}`;
		await share(queued, { email: 'typist@example.com', access: 'look' });
		const own = await text('holder', '/leases');
		expect(own).toContain(label);
		const list = await text('typist', '/leases');
		expect(list).toContain(`<bdi>${'x'.repeat(60)}…</bdi>`);
		expect(list).not.toContain('x'.repeat(61));
		expect(list).toContain(`action="${queued}/leave"`);
		const left = await send('typist', `${queued}/leave`);
		expect(left.headers.get('location')).toBe('/leases');
		expect(await text('typist', '/leases')).not.toContain(queued);
		expect(await text('holder', '/account/activity')).toContain('The colleague');
		await send('holder', `${queued}/release`);
	});

	describeInBrowser('in a browser', () => {
		const open = async (who: string) => {
			const context = await newContext({ baseURL: await service.listen() });
			const [name = '', value = ''] = (cookies[who] ?? '').split(/=(.*)/s);
			await context.addCookies([{ name, value, url: await service.listen() }]);
			const page = await context.newPage();
			const errors: string[] = [];
			page.on('pageerror', ({ message }) => errors.push(message));
			await page.goto(lease);
			await page.locator('.xterm-rows').waitFor();
			return { page, errors };
		};

		test('both see the output, and the colleague no longer once it is not shared', {
			tags: 'long',
		}, async () => {
			const [holder, looker] = [await open('holder'), await open('looker')];
			const [id, fence] = [lease.slice('/leases/'.length), agent.fence(boardId)];
			const data = new TextEncoder().encode('seen by both');
			await agent.write(id, { fence, offset: 0, data });
			for (const { page } of [holder, looker]) {
				const rows = page.locator('.xterm-rows');
				await expect.poll(() => rows.textContent(), patient).toContain('seen by both');
			}
			const remove = { name: 'Remove looker@example.com' };
			await holder.page.getByRole('button', remove).click();
			await holder.page.getByText('Shared with 1').waitFor();
			await expect
				.poll(() => holder.page.locator('[data-lease-notice]').textContent(), patient)
				.toContain('no longer');
			await expect
				.poll(() => looker.page.locator('h1').textContent(), patient)
				.toBe('Lease not found');
			expect(await looker.page.locator('.lead').textContent()).toContain('no longer shares it');
			await holder.page.getByText('Share with a colleague').click();
			await holder.page.getByLabel('Email address').fill('looker@example.com');
			await holder.page.getByRole('button', { name: 'Share', exact: true }).click();
			await holder.page.getByText('Shared with 2').waitFor();
			await expect
				.poll(() => holder.page.getByLabel('Email address').inputValue(), patient)
				.toBe('');
			await looker.page.goto(lease);
			await looker.page.getByText('You can look').waitFor();
			expect(await looker.page.getByLabel('Line to send').count()).toBe(0);
			await holder.page
				.getByRole('button', { name: 'Let type: looker@example.com' })
				.press('Enter');
			await looker.page.getByLabel('Line to send').waitFor(patient);
			const change = holder.page.getByRole('button', { name: 'Only look: looker@example.com' });
			await change.waitFor();
			expect(await change.evaluate((button) => button === document.activeElement)).toBe(true);
			await holder.page.getByRole('button', { name: 'Copy the address' }).click();
			await holder.page.getByText('Copied').or(holder.page.getByText('Selected')).waitFor();
			expect(await holder.page.locator('#lease-address').textContent()).toBe(`${origin}${lease}`);
			expect([...holder.errors, ...looker.errors]).toEqual([]);
		});
	});
});
