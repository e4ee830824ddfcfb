// A lease that is shared: who may do what with it, by every route, and until when.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAccount, vouchForAddress } from '../../../core/src/accounts/store.ts';
import { timeIn } from '../../../core/src/database/clock.ts';
import { deleteExpired } from '../../../core/src/housekeeping.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import { changeEmail } from '../../../core/src/members/email.ts';
import { createLink } from '../../../core/src/members/links.ts';
import { choosePassword } from '../../../core/src/members/password.ts';
import { deleteAccount, disableAccount } from '../../../core/src/members/stop.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { Browser } from '../../../core/test/support/visitor.ts';
import { backends } from '../support/backends.ts';
import { createUser, openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const board = 'brd_bench_1';

/** What each caller gets: 404 as for a lease that does not exist, 403 for too little access, or a success. */
const callers = ['stranger', 'look', 'type', 'administrator', 'holder'] as const;
const looked = [404, 200, 200, 200, 200];
const typed = (status: number) => [404, 403, status, 403, status];
const held = (status: number) => [404, 403, 403, 403, status];

interface Sent {
	statuses: number[];
	body?: object | string;
	rest?: string;
}

/** In this order, because the last ones end the lease and the shares. */
const routes: Record<string, Sent> = {
	'GET /v1/leases/:id': { statuses: looked },
	'GET /v1/leases/:id/actions': { statuses: looked },
	'POST /v1/leases/:id/actions': { statuses: typed(202), body: { action: 'reset' } },
	'GET /v1/leases/:id/actions/:action_id': { statuses: looked },
	'GET /v1/leases/:id/console': { statuses: looked },
	'POST /v1/leases/:id/console': { statuses: typed(204), body: 'typed' },
	'POST /v1/leases/:id/pins': { statuses: typed(200), body: { pin: 'D2', volts: 0 } },
	'POST /v1/leases/:id/channels': { statuses: typed(201), body: { kind: 'serial' } },
	'POST /v1/leases/:id/files': { statuses: held(201), body: 'raw', rest: '?raw=true' },
	'GET /v1/leases/:id/shares': { statuses: held(200) },
	'PUT /v1/leases/:id/shares': {
		statuses: held(200),
		body: { email: 'another@example.com', access: 'look' },
	},
	'POST /v1/leases/:id/shares/remove': {
		statuses: held(204),
		body: { email: 'another@example.com' },
	},
	'POST /v1/leases/:id/renew': { statuses: held(200), body: { minutes: 10 } },
	'DELETE /v1/leases/:id': { statuses: held(200) },
	// After the end, because it waits for an agent that does not respond.
	'POST /v1/leases/:id/console/sync': { statuses: looked },
	// It ends the shares of those who leave.
	'DELETE /v1/leases/:id/shares/own': { statuses: [404, 204, 204, 404, 403] },
};

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function openShared() {
		const bench = await openBench(opening, { rateLimitPerKey: 1e9 });
		const { query } = bench.services.database;
		const agent = await connectAgent(bench.sendAsAgent, {
			driven: { [board]: ['reset', 'erase', 'flash'] },
			obliging: true,
			pins: { names: ['D2'], analog: [], volts: 5 },
		});
		const account = async (
			email: string,
			{ verified = true, admin = false, scope = 'full' } = {},
		) => {
			const role = admin ? 'admin' : 'user';
			const { id } = await createAccount(query, { email, password: 'a long one', role, verified });
			const { key } = await issueKey(query, { accountId: id, scope: scope as 'full' });
			return { id, ...requests(key) };
		};
		const requests = (key: string) => {
			const send = (method: string, path: string, body?: object | string) =>
				bench.send(path, {
					method,
					headers: {
						authorization: `Bearer ${key}`,
						...(body && {
							'content-type':
								typeof body === 'object' ? 'application/json' : 'application/octet-stream',
						}),
					},
					...(body && { body: typeof body === 'object' ? JSON.stringify(body) : body }),
				});
			const status = async (...sent: Parameters<typeof send>) => {
				const response = await send(...sent);
				await response.body?.cancel();
				return response.status;
			};
			return { key, send, status, user: createUser(bench, key) };
		};
		const holder = await account('holder@example.com');
		const lease = await holder.user.activeLease({ board_id: board });
		await vi.waitFor(() => expect(agent.lease(board)?.id).toBe(lease.id));
		const path = `/v1/leases/${lease.id}`;
		const share = (email: string, access = 'look') =>
			holder.send('PUT', `${path}/shares`, { email, access });
		const unshare = (email: string) => holder.send('POST', `${path}/shares/remove`, { email });
		const close = async () => {
			agent.cut();
			await bench.close();
		};
		return { bench, query, agent, account, requests, holder, lease, path, share, unshare, close };
	}

	const cleanups: (() => Promise<void>)[] = [];
	afterEach(async () => {
		for (const close of cleanups.splice(0)) await close();
	});
	async function open() {
		const shared = await openShared();
		cleanups.push(shared.close);
		return shared;
	}

	describe('each route', () => {
		let shared: Awaited<ReturnType<typeof openShared>>;
		let senders: Record<(typeof callers)[number], Awaited<ReturnType<typeof shared.account>>>;
		let actionId: string;
		beforeAll(async () => {
			shared = await openShared();
			const { account, share, holder } = shared;
			senders = {
				stranger: await account('stranger@example.com'),
				look: await account('look@example.com'),
				type: await account('type@example.com'),
				administrator: await account('operator@example.com', { admin: true }),
				holder,
			};
			await share('look@example.com', 'look');
			await share('type@example.com', 'type');
			actionId = (await holder.user.act(shared.lease.id, { action: 'reset' })).id;
		});
		afterAll(() => shared.close());

		test('is in the table', () => {
			const served = shared.bench.app.routes
				.map(({ method, path }) => `${method} ${path}`)
				.filter((route) => route.includes(' /v1/leases/:id'));
			expect(Object.keys(routes).sort()).toEqual(served.sort());
		});

		test.each(['erase', 'flash'])('%s is for the holder', async (action) => {
			const input = { action, ...(action === 'flash' && { file_id: 'fil_1' }) };
			expect(await senders.type.status('POST', `${shared.path}/actions`, input)).toBe(403);
		});

		test.each(Object.entries(routes))('%s', async (route, { statuses, body, rest = '' }) => {
			const [method = '', pattern = ''] = route.split(' ');
			const path = pattern.replace(':id', shared.lease.id).replace(':action_id', actionId);
			const found: Record<string, number> = {};
			for (const caller of callers) {
				found[caller] = await senders[caller].status(method, path + rest, body);
			}
			expect(found).toEqual(Object.fromEntries(callers.map((name, at) => [name, statuses[at]])));
		});
	});

	test('the lease says what its reader may do, and is listed where it is asked for', async () => {
		const { account, share, lease, path, holder } = await open();
		const [colleague, admin] = [
			await account('ada@example.com'),
			await account('operator@example.com', { admin: true }),
		];
		const accessOf = async (who: typeof holder) => {
			const { access, holder_email } = await (await who.send('GET', path)).json();
			return [access, holder_email];
		};
		const listed = async (who: typeof holder, query = '?shared=true') =>
			(await (await who.send('GET', `/v1/leases${query}`)).json()).data.map(
				({ id, access, holder_email }: Record<string, string>) => [id, access, holder_email],
			);
		await share('ada@example.com', 'type');

		const by = 'holder@example.com';
		expect(await accessOf(holder)).toEqual(['hold', null]);
		expect(await accessOf(colleague)).toEqual(['type', by]);
		expect(await accessOf(admin)).toEqual(['look', by]);
		expect(await listed(colleague)).toEqual([[lease.id, 'type', by]]);
		expect(await listed(holder, '')).toEqual([[lease.id, 'hold', null]]);
		const { data } = await (await admin.send('GET', '/v1/admin/leases')).json();
		expect(data).toMatchObject([{ id: lease.id, access: 'look', holder_email: by }]);
		expect(await listed(colleague, '?shared=true&status=ended')).toEqual([]);
		expect(await listed(colleague, '?shared=true&status=queued&status=active')).toEqual([
			[lease.id, 'type', by],
		]);
		expect(await listed(colleague, '')).toEqual([]);
		expect(await listed(holder)).toEqual([]);
		expect(await listed(admin)).toEqual([]);
		await share('ada@example.com', 'look');
		expect(await accessOf(colleague)).toEqual(['look', by]);
		await share('holder@example.com');
		expect(await listed(holder)).toEqual([]);
		expect(await accessOf(holder)).toEqual(['hold', null]);
	});

	test('each change is in the activity of the holder, with the address', async () => {
		const { holder, lease, share, unshare } = await open();
		await share('ada@example.com');
		await share('Ada@example.com');
		await share('ada@example.com', 'type');
		for (const _ of [1, 2]) await unshare('ada@example.com');
		await unshare('nobody@example.com');
		const { data } = await (await holder.send('GET', '/v1/activity')).json();
		const entries = data.filter(({ kind }: { kind: string }) => /^lease/.test(kind)).reverse();
		const entry = { subject_id: lease.id, account_id: holder.id, actor_id: holder.id };
		expect(entries).toMatchObject([
			{ ...entry, kind: 'lease.shared', details: { email: 'ada@example.com', access: 'look' } },
			{ ...entry, kind: 'lease.shared', details: { email: 'ada@example.com', access: 'type' } },
			{ ...entry, kind: 'lease.unshared', details: { email: 'ada@example.com' } },
		]);
	});

	rule('an attempt that arrives late changes nothing that was changed since', async () => {
		const { bench, holder, path } = await open();
		const attempt = async (key: string, action: 'share' | 'remove') => {
			const email = 'ada@example.com';
			const isShare = action === 'share';
			const response = await bench.send(`${path}/shares${isShare ? '' : '/remove'}`, {
				method: isShare ? 'PUT' : 'POST',
				headers: {
					authorization: `Bearer ${holder.key}`,
					'content-type': 'application/json',
					'idempotency-key': key,
				},
				body: JSON.stringify({ email, ...(isShare && { access: 'look' }) }),
			});
			const { headers, status } = response;
			const { error } = status === 204 ? { error: undefined } : await response.json();
			return [status, headers.get('idempotent-replayed'), error?.code];
		};
		const shared = async () =>
			(await (await holder.send('GET', `${path}/shares`)).json()).data.length;
		expect(await attempt('first', 'share')).toEqual([200, null, undefined]);
		expect(await attempt('first', 'share')).toEqual([200, 'true', undefined]);
		expect(await attempt('second', 'remove')).toEqual([204, null, undefined]);
		expect(await attempt('first', 'share')).toEqual([409, null, 'idempotency_conflict']);
		expect(await shared()).toBe(0);
		expect(await attempt('third', 'share')).toEqual([200, null, undefined]);
		expect(await attempt('second', 'remove')).toEqual([204, null, undefined]);
		expect(await shared()).toBe(1);
	});

	rule('a key for boards and leases lets nobody else in', async () => {
		const { query, holder, requests, path, share } = await open();
		await share('ada@example.com');
		const { key } = await issueKey(query, { accountId: holder.id, scope: 'boards' });
		const limited = requests(key);
		expect(await limited.status('GET', path)).toBe(200);
		const shares = `${path}/shares`;
		const email = 'grace@example.com';
		for (const [method, path, body] of [
			['GET', shares],
			['PUT', shares, { email, access: 'look' }],
			['PUT', shares.replace('shares', '%73hares'), { email, access: 'look' }],
			['POST', `${shares}/remove`, { email: 'ada@example.com' }],
			['DELETE', `${shares}/own`],
		] as const) {
			const { error } = await (await limited.send(method, path, body)).json();
			expect(error.code).toBe('scope_insufficient');
		}
		const { data } = await (await holder.send('GET', shares)).json();
		expect(data).toMatchObject([{ email: 'ada@example.com' }]);
	});

	rule(
		'a key for boards and leases uses what is shared with its account, and cannot leave it',
		async () => {
			const { account, share, path } = await open();
			const pipeline = await account('ada@example.com', { scope: 'boards' });
			await share('ada@example.com');
			expect(await pipeline.status('GET', path)).toBe(200);
			expect(await pipeline.status('POST', `${path}/console`, 'typed')).toBe(403);
			await share('ada@example.com', 'type');
			expect(await pipeline.status('POST', `${path}/console`, 'typed')).toBe(204);
			expect(await pipeline.status('DELETE', `${path}/shares/own`)).toBe(403);
			expect(await pipeline.status('GET', path)).toBe(200);
		},
	);

	rule(
		'a colleague leaves, which ends what they requested and is in the activity of the holder',
		async () => {
			const { account, share, path, holder, lease, agent } = await open();
			const [colleague, other] = [
				await account('ada@example.com'),
				await account('grace@example.com'),
			];
			await share('ada@example.com', 'type');
			await share('grace@example.com');
			agent.cut();
			await colleague.send('POST', `${path}/actions`, { action: 'reset' });
			expect(await colleague.status('DELETE', `${path}/shares/own`)).toBe(204);
			expect(await colleague.status('GET', path)).toBe(404);
			expect(await colleague.status('DELETE', `${path}/shares/own`)).toBe(404);
			expect(await other.status('GET', path)).toBe(200);
			const { data } = await (await holder.send('GET', `${path}/actions`)).json();
			expect(data.at(-1)).toMatchObject({ action: 'reset', status: 'failed' });
			const log = await (await holder.send('GET', '/v1/activity?kind=lease.unshared')).json();
			const details = { email: 'ada@example.com' };
			expect(log.data).toMatchObject([{ subject_id: lease.id, actor_id: null, details }]);

			await share('ada@example.com');
			expect(await colleague.status('GET', path)).toBe(200);
			await share('holder@example.com');
			const { error } = await (await holder.send('DELETE', `${path}/shares/own`)).json();
			expect(error).toMatchObject({ code: 'access_insufficient', hint: 'Release it instead.' });
		},
	);

	test('an account shares at most 50 leases with one address, those that have ended among them', async () => {
		const { query, holder, lease, share, unshare } = await open();
		const { id, ...row } = await query
			.selectFrom('leases')
			.selectAll()
			.where('id', '=', lease.id)
			.executeTakeFirstOrThrow();
		const ended = { ...row, status: 'ended', ended_at: timeIn(query) } as const;
		const leases = Array.from({ length: 49 }, (_, at) => ({ ...ended, id: `${id}${at}` }));
		await query.insertInto('leases').values(leases).execute();
		const created_at = timeIn(query);
		const shared = leases.map(
			({ id: lease_id }) => ({ lease_id, access: 'look', created_at }) as const,
		);
		const email = 'ada@example.com';
		await query
			.insertInto('lease_shares')
			.values(shared.map((each) => ({ ...each, email })))
			.execute();
		expect((await share(email)).status).toBe(200);
		expect((await share(email, 'type')).status).toBe(200);
		await unshare(email);
		const [first] = leases;
		await query
			.insertInto('leases')
			.values({ ...ended, id: `${id}more` })
			.execute();
		await query
			.insertInto('lease_shares')
			.values({ lease_id: `${id}more`, email, access: 'look', created_at })
			.execute();
		expect((await (await share(email)).json()).error.code).toBe('share_limit');
		expect((await share('grace@example.com')).status).toBe(200);
		await holder.send('POST', `/v1/leases/${first?.id}/shares/remove`, { email });
		expect((await share(email)).status).toBe(200);
	});

	rule('only a verified address is matched, however it is written', async () => {
		const { account, share, path, holder } = await open();
		const unverified = await account('ada@example.com', { verified: false });
		const colleague = await account('grace@example.com');
		const written = await Promise.all(
			['ada@example.com', 'Grace@Example.com', 'nobody@example.com'].map((email) => share(email)),
		);
		const records = await Promise.all(written.map((response) => response.json()));
		expect(records).toEqual(
			['ada@example.com', 'grace@example.com', 'nobody@example.com'].map((email) => ({
				email,
				access: 'look',
				created_at: expect.any(String),
			})),
		);
		expect(await unverified.status('GET', path)).toBe(404);
		expect(await colleague.status('GET', path)).toBe(200);

		// The Kelvin sign, a Cyrillic letter and a full-width one, which lower case or a reader takes for another.
		for (const email of [
			'\u{212a}im@example.com',
			'gr\u{430}ce@example.com',
			'\u{ff47}race@example.com',
			'grace',
		])
			expect((await share(email)).status).toBe(400);
		const { data } = await (await holder.send('GET', `${path}/shares`)).json();
		expect(data).toEqual(records);
	});

	rule(
		'another address of the same account is not matched, and a disabled account is not',
		async () => {
			const { bench, account, share, path } = await open();
			const [moving, disabled] = [
				await account('moving@example.com'),
				await account('disabled@example.com'),
			];
			for (const name of ['moving', 'disabled']) await share(`${name}@example.com`);
			const change = { next: 'moved@example.com', byAdministrator: true };
			await changeEmail(bench.services, { id: moving.id, email: 'moving@example.com' }, change);
			expect(await moving.status('GET', path)).toBe(404);

			await disableAccount(bench.services, disabled.id);
			expect(await disabled.status('GET', path)).toBe(401);
		},
	);

	test.each([true, false])(
		'the holder does not learn that an account is deleted (verified: %s)',
		{ tags: 'long' },
		async (verified) => {
			const { account, share, path, holder, query, bench } = await open();
			const email = 'leaving@example.com';
			const leaving = await account(email, { verified });
			await share(email);
			const shares = async () => (await holder.send('GET', `${path}/shares`)).text();
			const before = await shares();
			expect(await leaving.status('GET', path)).toBe(verified ? 200 : 404);
			await deleteAccount(bench.services, leaving.id);
			expect(await shares()).toBe(before);
			expect(await leaving.status('GET', path)).toBe(401);

			const another = await account(email, { verified: false });
			expect(await another.status('GET', path)).toBe(404);
			const verifying = query.updateTable('accounts').set({ verified_at: timeIn(query) });
			await verifying.where('id', '=', another.id).execute();
			expect(await another.status('GET', path)).toBe(200);

			await deleteAccount(bench.services, holder.id);
			expect(await query.selectFrom('lease_shares').selectAll().execute()).toEqual([]);
		},
	);

	rule('the holder reads once a day that an administrator has looked, not who', async () => {
		const { account, share, lease, path, holder } = await open();
		const colleague = await account('ada@example.com');
		await share('ada@example.com');
		const administrator = await account('operator@example.com', { admin: true });
		const viewed = async (who = holder, from = '/v1') =>
			(await (await who.send('GET', `${from}/activity?kind=lease.viewed`)).json()).data;
		const invited = await account('grace@example.com', { admin: true });
		await share('grace@example.com');
		for (const who of [holder, colleague, invited]) await who.status('GET', path);
		expect(await viewed()).toEqual([]);
		for (const route of ['', '/actions', '']) await administrator.status('GET', path + route);
		const entry = { subject_id: lease.id, account_id: holder.id, count: 1 };
		expect(await viewed()).toMatchObject([{ ...entry, actor_id: null, address: null }]);
		expect(await viewed(administrator, '/v1/admin')).toMatchObject([
			{ ...entry, actor_id: administrator.id },
		]);
	});

	rule.each([
		['was never verified', false],
		['an administrator has marked as verified', true],
	])('a key of whoever took an address that %s ends with its first reset', async (_, vouched) => {
		const { bench, query, account, share, path } = await open();
		const squatter = await account('ada@example.com', { verified: false });
		await share('ada@example.com');
		if (vouched) await vouchForAddress(bench.services, squatter.id);
		expect(await squatter.status('GET', path)).toBe(vouched ? 200 : 404);
		const reset = async () => {
			const token = await createLink(query, { kind: 'reset', email: 'ada@example.com' });
			const choice = { token, password: 'another long one' };
			await choosePassword(bench.services, new Browser(), choice);
		};
		await reset();
		expect(await squatter.status('GET', path)).toBe(401);
		const { key } = await issueKey(query, { accountId: squatter.id, scope: 'full' });
		await reset();
		const headers = { authorization: `Bearer ${key}` };
		expect((await bench.send(path, { headers })).status).toBe(200);
	});

	rule('an administrator looks with full rights only', async () => {
		const { account, path } = await open();
		const limited = await account('operator@example.com', { admin: true, scope: 'boards' });
		expect(await limited.status('GET', path)).toBe(404);
	});

	rule.each(['console', 'actions', 'pins'])(
		'what a colleague does by /%s ends the grace of the holder',
		async (name) => {
			const { account, share, query, lease, path } = await open();
			const colleague = await account('ada@example.com');
			await share('ada@example.com', 'type');
			const charged_from = timeIn(query, 60_000);
			await query.updateTable('leases').set({ charged_from }).where('id', '=', lease.id).execute();
			const { body } = routes[`POST /v1/leases/:id/${name}`] ?? {};
			expect(await colleague.status('POST', `${path}/${name}`, body)).toBeLessThan(300);
			const charged = query.selectFrom('leases').select('charged_from').where('id', '=', lease.id);
			const row = await charged.executeTakeFirstOrThrow();
			expect(row.charged_from).not.toBe(charged_from);
		},
	);

	describe('the resets of a colleague', () => {
		const reset = { action: 'reset' };
		async function openWaiting() {
			const shared = await open();
			const { account, share, agent, holder, path } = shared;
			const colleague = await account('ada@example.com');
			await share('ada@example.com', 'type');
			// From now on, nobody carries anything out.
			agent.cut();
			const act = async (who: typeof holder) =>
				(await who.send('POST', `${path}/actions`, reset)).json();
			const actions = async (who = holder) =>
				(await (await who.send('GET', `${path}/actions`)).json()).data.filter(
					({ phase }: { phase: string }) => phase === 'use',
				);
			return { ...shared, colleague, act, actions };
		}

		rule('wait two at a time, and do not keep the holder from acting', async () => {
			const { colleague, holder, act } = await openWaiting();
			await act(colleague);
			await act(colleague);
			expect((await act(colleague)).error.code).toBe('lease_limit');
			expect((await act(holder)).status).toBe('queued');
		});

		rule.each(['unshare', 'share to look', 'unshare after another address'])(
			'are dropped on %s if they have not begun',
			async (change) => {
				const { bench, colleague, holder, act, actions, query, share, unshare } =
					await openWaiting();
				const [begun, waiting, own] = [
					await act(colleague),
					await act(colleague),
					await act(holder),
				];
				const running = query.updateTable('lease_actions').set({ status: 'running' });
				await running.where('id', '=', begun.id).execute();
				if (change === 'unshare after another address') {
					const next = { next: 'other@example.com', byAdministrator: true };
					await changeEmail(bench.services, { id: colleague.id, email: 'ada@example.com' }, next);
				}
				if (change === 'share to look') await share('ada@example.com', 'look');
				else await unshare('ada@example.com');
				expect(await actions()).toMatchObject([
					{ id: begun.id, status: 'running' },
					{ id: waiting.id, status: 'failed', message: expect.stringMatching(/may no longer act/) },
					{ id: own.id, status: 'queued' },
				]);
			},
		);

		test('are not accepted if the share ends while they are requested', async () => {
			const { colleague, act, actions, unshare } = await openWaiting();
			const [, response] = await Promise.all([unshare('ada@example.com'), act(colleague)]);
			const [action] = await actions();
			expect(action?.status ?? response.error.code).toMatch(/^(failed|lease_not_found)$/);
		});

		rule('have their address for the holder and administrators only', async () => {
			const { bench, account, share, colleague, holder, act, actions } = await openWaiting();
			const looker = await account('grace@example.com');
			await share('grace@example.com');
			const administrator = await account('operator@example.com', { admin: true });
			await act(colleague);
			await act(holder);
			const names = async (who = holder) =>
				(await actions(who)).map(({ requested_by }: { requested_by: string }) => requested_by);
			expect(await names()).toEqual(['ada@example.com', null]);
			expect(await names(administrator)).toEqual(['ada@example.com', null]);
			expect(await names(looker)).toEqual([null, null]);
			// The holder has shared the lease with this address, not with the account.
			await changeEmail(
				bench.services,
				{ id: colleague.id, email: 'ada@example.com' },
				{ next: 'other@example.com', byAdministrator: true },
			);
			expect(await names()).toEqual(['ada@example.com', null]);
			await deleteAccount(bench.services, colleague.id);
			expect(await names()).toEqual(['ada@example.com', null]);
		});
	});

	rule(
		'a lease that has ended is shared no more, and read as long as its console is kept',
		async () => {
			const { bench, account, share, path, holder, query, lease, unshare } = await open();
			const colleague = await account('ada@example.com');
			await share('ada@example.com', 'type');
			await holder.user.release(lease.id);
			expect(await colleague.status('GET', path)).toBe(200);
			expect(await colleague.status('POST', `${path}/console`, 'late')).toBe(409);
			expect((await (await share('grace@example.com')).json()).error.code).toBe('lease_ended');

			await deleteExpired(query, bench.services.settings);
			expect(await colleague.status('GET', path)).toBe(200);
			const ended_at = timeIn(query, -25 * 60 * 60 * 1000);
			await query.updateTable('leases').set({ ended_at }).where('id', '=', lease.id).execute();
			await deleteExpired(query, bench.services.settings);
			expect(await colleague.status('GET', path)).toBe(404);
			expect((await unshare('ada@example.com')).status).toBe(204);
		},
	);

	test('a lease is shared with at most 20 addresses, though many are added at once', {
		tags: 'long',
	}, async () => {
		const { share, unshare } = await open();
		const sharing = Array.from({ length: 24 }, (_, at) => share(`colleague-${at}@example.com`));
		const statuses = (await Promise.all(sharing)).map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(20);
		expect(statuses.filter((status) => status === 409)).toHaveLength(4);
		expect((await (await share('one-more@example.com')).json()).error.code).toBe('share_limit');
		const first = `colleague-${statuses.indexOf(200)}@example.com`;
		expect((await share(first, 'type')).status).toBe(200);
		await unshare(first);
		expect((await share('ada@example.com')).status).toBe(200);
	});

	rule('what a colleague types leaves room for the holder, whose board takes nothing', async () => {
		const shared = await open();
		const { account, holder, path, share } = shared;
		const colleague = await account('typing@example.com');
		await share('typing@example.com', 'type');
		const type = (who: typeof holder, bytes: number) =>
			who.status('POST', `${path}/console`, 'x'.repeat(bytes));
		expect(await type(colleague, 4_000)).toBe(204);
		const full = await colleague.send('POST', `${path}/console`, 'x'.repeat(97));
		expect((await full.json()).error.code).toBe('console_input_full');
		expect(await type(holder, 4_096)).toBe(204);
	});

	rule('a colleague who can no longer look sees no further output, and types no more', async () => {
		const { account, share, unshare, agent, lease, path, holder } = await open();
		const colleague = await account('ada@example.com');
		await share('ada@example.com', 'type');
		const console = await colleague.user.console(lease.id);
		const waiting = colleague.send('GET', `${path}?wait=60&status=active`);
		const fence = agent.fence(board);
		await agent.write(lease.id, { fence, offset: 0, data: 'public ' });
		await console.see('public');
		expect(await colleague.status('POST', `${path}/console`, 'in time')).toBe(204);

		await unshare('ada@example.com');
		expect(await colleague.status('POST', `${path}/console`, 'too late')).toBe(404);
		await expect.poll(() => agent.input.get(lease.id)).toBe('in time');
		// What a stream has sent before the last confirmation may follow for a second.
		let offset = 7;
		const print = async () => {
			await agent.write(lease.id, { fence, offset, data: '.' });
			offset += 1;
			return console.isClosed();
		};
		await expect.poll(print, { timeout: 20_000, interval: 100 }).toBe(true);
		await agent.write(lease.id, { fence, offset, data: 'secret' });
		expect(console.text()).not.toContain('secret');

		await holder.user.release(lease.id);
		expect((await waiting).status).toBe(404);
	});
});
