// A credential that is revoked while its request is in progress.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { endSessions, openSession } from '../../../core/src/accounts/sessions/sessions.ts';
import { consoleChange, leaseChange } from '../../../core/src/announcements.ts';
import { type BoardInput, importBoards } from '../../../core/src/boards/import.ts';
import { timeIn } from '../../../core/src/database/clock.ts';
import { issueKey, revokeKey } from '../../../core/src/keys/store.ts';
import { deleteAccount, disableAccount } from '../../../core/src/members/stop.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { passSeconds } from '../../../core/test/support/time.ts';
import { assemble } from '../../src/service.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';
import { countWatchers } from '../support/watchers.ts';
import { openPage, origin, sendForm, sessionOf } from '../web/support/lab.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A request whose body arrives in two parts. */
function slowRequest(
	{ app }: Pick<Lab, 'app'>,
	{ path, headers, parts }: { path: string; headers: Record<string, string>; parts: string[] },
) {
	const { readable, writable } = new TransformStream<Uint8Array>();
	const writer = writable.getWriter();
	const [first, second] = parts.map((part) => new TextEncoder().encode(part));
	const request = new Request(origin + path, {
		method: 'POST',
		headers,
		body: readable,
		redirect: 'manual',
		// Needed for a stream, but missing from the types.
		...{ duplex: 'half' },
	});
	const response = (async () => app.fetch(request, {}))();
	return {
		/** Resolves when the service reads the body, so it has authenticated the request. */
		authenticated: writer.write(first),
		async finish() {
			passSeconds(60);
			await writer.write(second);
			await writer.close();
			return response;
		},
	};
}

/** The text of a response as it arrives. */
function collect(response: Response) {
	let text = '';
	const read = async () => {
		for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
			text += part;
		}
	};
	return { text: () => text, ended: read() };
}

describe('a request', () => {
	const open = async () => {
		const lab = await openLab('SQLite', { boards: unoBoards(1) });
		cleanups.push(lab.close);
		const user = await lab.account({ credits: 100 });
		const leaked = await issueKey(lab.query, { accountId: user.id });
		const revoke = () => revokeKey(lab.query, { accountId: user.id, id: leaked.id });
		return { lab, user, leaked, revoke };
	};

	test.each([
		['/v1/auth/keys', ['{"label":', '"late"}']],
		['/v1/leases', ['{"board_type":', '"uno"}']],
	])(
		'a key that is revoked while the body of POST %s arrives creates nothing',
		async (path, parts) => {
			const { lab, user, leaked, revoke } = await open();
			const headers = {
				authorization: `Bearer ${leaked.key}`,
				'content-type': 'application/json',
			};
			const slow = slowRequest(lab, { path, headers, parts });
			await slow.authenticated;
			await revoke();
			const response = await slow.finish();
			expect((await response.json()).error).toMatchObject({ code: 'api_key_revoked' });
			const { body: keys } = await user.send('GET', '/auth/keys');
			expect(keys.data).toHaveLength(1);
			expect((await user.send('GET', '/leases')).body.data).toEqual([]);
		},
	);

	test('a console stream ends when its key is revoked', async () => {
		const { lab, user, leaked, revoke } = await open();
		const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
		await addAgent(lab.query, ['brd_uno_1']);
		const read = (key: string) =>
			lab.app.fetch(
				new Request(`${origin}/v1/leases/${lease.id}/console`, {
					headers: { authorization: `Bearer ${key}` },
				}),
				{},
			);
		const watchers = countWatchers(lab.services);
		const [revoked, other] = [await read(leaked.key), await read(user.key)];
		const revokedText = revoked.text();
		const { text, ended } = collect(other);
		await expect.poll(watchers).toBe(2);
		await revoke();
		passSeconds(60);
		lab.services.wake.announce(consoleChange(lease.id));
		expect(await revokedText).toBe('');
		await expect.poll(watchers).toBe(1);
		await user.release(lease.id);
		await ended;
		expect(text()).toBe('');
	});
});

test('an idle console stream of a revoked key gives its place back', async () => {
	const lab = await openLab('SQLite', { boards: unoBoards(1), consoleStreamsPerAccount: 1 });
	cleanups.push(lab.close);
	const user = await lab.account({ credits: 100 });
	const leaked = await issueKey(lab.query, { accountId: user.id });
	const { body: lease } = await user.lease({ board_id: 'brd_uno_1' });
	await addAgent(lab.query, ['brd_uno_1']);
	const read = (key: string) =>
		lab.app.fetch(
			new Request(`${origin}/v1/leases/${lease.id}/console`, {
				headers: { authorization: `Bearer ${key}` },
			}),
			{},
		);
	const watchers = countWatchers(lab.services);
	const { ended } = collect(await read(leaked.key));
	await expect.poll(watchers).toBe(1);
	expect((await read(user.key)).status).toBe(429);
	await revokeKey(lab.query, { accountId: user.id, id: leaked.id });
	passSeconds(60);
	lab.services.wake.announce(consoleChange(lease.id));
	await ended;
	const other = await read(user.key);
	expect(other.status).toBe(200);
	await other.body?.cancel();
});

describe('a wait', () => {
	let lab: Lab;
	beforeAll(async () => {
		lab = await openLab('SQLite');
	});
	afterAll(() => lab.close());

	const routes = [
		['GET', '/leases/{id}?wait=30&status=active'],
		['GET', '/leases/{id}/actions/{action}?wait=30'],
		['POST', '/leases/{id}/console/sync'],
		['GET', '/boards?wait=30'],
	] as const;
	type Target = { user: { id: string; key: string }; keyId: string };
	const ends = {
		'its key is revoked': ({ user, keyId: id }: Target) =>
			revokeKey(lab.query, { accountId: user.id, id }),
		'its key expires': ({ keyId }: Target) =>
			lab.query
				.updateTable('api_keys')
				.set({ expires_at: timeIn(lab.query, -1) })
				.where('id', '=', keyId)
				.execute(),
		'its account is disabled': ({ user }: Target) => disableAccount(lab.services, user.id),
		'its account is deleted': ({ user }: Target) => deleteAccount(lab.services, user.id),
		'its session ends': ({ user }: Target) => endSessions(lab.services, user.id),
	} as const;
	// The keys are those of the object.
	const names = Object.keys(ends) as (keyof typeof ends)[];
	const cases = names.flatMap((end) => routes.map((route) => [...route, end] as const));

	/** An active lease with an action that runs, and its console. */
	const startAction = async (user: LabAccount) => {
		const board = `brd_${user.id}`;
		await importBoards(lab.query, [{ ...unoBoards(1)[0], id: board, name: board } as BoardInput]);
		const { body: lease } = await user.lease({ board_id: board });
		// Its agent comes afterwards, so that the lease needs no preparation.
		await addAgent(lab.query, [board], ['reset']);
		await lab.query
			.updateTable('boards')
			.set({ capabilities: JSON.stringify({ actions: ['reset'], console: true }) })
			.where('id', '=', board)
			.execute();
		const { body: action } = await user.send('POST', `/leases/${lease.id}/actions`, {
			body: { action: 'reset' },
		});
		return { id: lease.id as string, action: action.id as string, board };
	};

	/** Changes all that somebody could wait for. */
	const changeAll = async ({ id, action, board }: Awaited<ReturnType<typeof startAction>>) => {
		const done = { status: 'done', ended_at: timeIn(lab.query) } as const;
		const { query } = lab;
		await query.updateTable('leases').set({ status: 'ended' }).where('id', '=', id).execute();
		await query.updateTable('lease_actions').set(done).where('id', '=', action).execute();
		await query.updateTable('boards').set({ description: id }).where('id', '=', board).execute();
		lab.services.wake.announce(leaseChange(id));
	};

	test.each(cases)('in %s %s tells nothing once %s', async (method, route, end) => {
		const user = await lab.account();
		const started = await startAction(user);
		const leaked = await issueKey(lab.query, { accountId: user.id });
		const visit = { account_id: user.id, ip_address: '', user_agent: '' };
		const { token } = await openSession(lab.query, visit, 1);
		const headers =
			end === 'its session ends'
				? { cookie: `board_access.session_token=${token}`, origin, authorization: '' }
				: { authorization: `Bearer ${leaked.key}` };
		const path = route.replace('{id}', started.id).replace('{action}', started.action);
		const wait = vi.spyOn(lab.services.limits, 'wait');
		const response = user.send(method, path, { headers });
		await expect.poll(() => wait.mock.calls.length).toBe(1);
		wait.mockRestore();
		passSeconds(1);
		await ends[end]({ user, keyId: leaked.id });
		await changeAll(started);
		const { status, body } = await response;
		expect([status, JSON.stringify(body)]).toEqual([401, expect.not.stringContaining(started.id)]);
	});
});

test('a session that ends while a form arrives changes nothing', async () => {
	const service = await assemble({ demo: true });
	cleanups.push(service.close);
	const { app, demo } = service;
	const fetch = async (input: Request | URL | string, init?: RequestInit) =>
		app.fetch(new Request(input, init), {});
	const log = async () => sessionOf(await sendForm({ fetch }, '/login', { ...demo }));
	const cookie = await log();
	const other = await log();
	const slow = slowRequest(service, {
		path: '/admin/boards/new',
		headers: {
			origin,
			cookie,
			accept: 'text/html',
			'content-type': 'application/x-www-form-urlencoded',
		},
		parts: ['name=late-board&board_', 'type=uno'],
	});
	await slow.authenticated;
	await sendForm({ fetch }, '/account/sessions/end-others', {}, other);
	expect((await slow.finish()).headers.get('location')).toMatch(/^\/login/);
	const boards = await openPage({ fetch }, '/boards', other);
	expect(await boards.text()).not.toContain('late-board');
});
