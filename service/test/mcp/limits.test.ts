// The limits of keys and accounts hold for coding agents, too.
import { describe, expect, onTestFinished, test } from 'vitest';
import { issueKey } from '../../../core/src/keys/store.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { openLab } from '../support/leasing.ts';
import { boardNamed, callOf, connect, message, placeOf, post, withKey } from './support/agents.ts';

type Options = Parameters<typeof openLab>[1];

describe.each(databaseKinds)('on %s', (kind) => {
	const open = async (options: Options = {}) => {
		const lab = await openLab(kind, { boards: [boardNamed('one')], ...options });
		onTestFinished(() => lab.close());
		const place = placeOf(lab);
		const list = async (key: string) => {
			const { status, headers, body } = await post(place, callOf('list_boards'), {
				headers: withKey(key),
			});
			const { result, error } = body;
			const text: string = result?.content[0].text ?? '';
			return { status, isError: result?.isError === true, text, error, headers };
		};
		return { lab, place, list };
	};

	test('each call counts for its key, and one above the limit says when to try again', async () => {
		// A call is two requests: who calls, and the list.
		const { lab, list } = await open({ rateLimitPerKey: 3 });
		const { key } = await lab.account();
		expect(await list(key)).toMatchObject({ status: 200, isError: false });
		const { status, isError, text } = await list(key);
		expect({ status, isError }).toEqual({ status: 200, isError: true });
		expect(text.split('\n')).toEqual([
			expect.stringMatching(/^Too many requests; try again in \d+ s\.$/),
			'Code: rate_limited',
		]);
		const refused = await list(key);
		expect(refused).toMatchObject({ status: 429, error: { code: 'rate_limited' } });
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		const other = await lab.account();
		expect(await list(other.key)).toMatchObject({ status: 200, isError: false });
	});

	test('what is no call of a tool counts as well', async () => {
		const { lab, place } = await open({ rateLimitPerKey: 2 });
		const headers = withKey((await lab.account()).key);
		const statuses = [];
		for (const method of ['ping', 'tools/list', 'resources/templates/list']) {
			statuses.push((await post(place, message(method), { headers })).status);
		}
		expect(statuses).toEqual([200, 200, 429]);
	});

	test('the keys of an account count together', async () => {
		const { lab, list } = await open({ rateLimitPerAccount: 4 });
		const { id: accountId, key } = await lab.account();
		const second = await issueKey(lab.query, { accountId });
		expect(await list(key)).toMatchObject({ isError: false });
		expect(await list(second.key)).toMatchObject({ isError: false });
		expect(await list(key)).toMatchObject({ status: 429 });
	});

	test('rejected keys count for the network that sends them', async () => {
		const { lab, list } = await open({ rateLimitFailedCredentials: 2 });
		const { key } = await lab.account();
		const statuses = [];
		for (let count = 0; count < 3; count += 1) {
			statuses.push((await list(`key_${'0'.repeat(48)}`)).status);
		}
		expect(statuses).toEqual([401, 401, 429]);
		expect(await list(key)).toMatchObject({ status: 200 });
	});

	test('an account has ten calls at a time, whatever its sessions are', async () => {
		const { lab, place, list } = await open({ leasesPerAccount: 100 });
		const [holder, user] = [await lab.account(), await lab.account()];
		await holder.lease({ board_type: 'uno', minutes: 5 });
		const agents = await Promise.all([connect(place, user.key), connect(place, user.key)]);
		const waiting = { boards: ['uno'], wait_seconds: 100 };
		const calls = Array.from({ length: 10 }, (_, index) =>
			agents[index % 2]?.call('lease_board', waiting).catch(() => 'cut'),
		);
		const queued = async () => (await user.send('GET', '/leases?status=queued')).body.data.length;
		await expect.poll(queued).toBe(10);

		const { isError, text } = await list(user.key);
		expect({ isError, text }).toEqual({
			isError: true,
			text: '10 tool calls of this account are in progress; try again in 10 s.\nCode: rate_limited',
		});
		expect(await list(holder.key)).toMatchObject({ isError: false });
		expect((await user.send('GET', '/boards')).status).toBe(200);
		for (const { client } of agents) await client.close();
		expect(await Promise.all(calls)).toEqual(Array(10).fill('cut'));
		await expect.poll(() => list(user.key)).toMatchObject({ isError: false });
		await expect.poll(queued).toBe(0);
	});

	test('the calls of one request count one by one', async () => {
		const { lab, place } = await open();
		const [holder, user] = [await lab.account(), await lab.account()];
		const { body } = await holder.lease({ board_type: 'uno', minutes: 5 });
		const waiting = { boards: ['uno'], wait_seconds: 100 };
		const calls = Array.from({ length: 11 }, (_, id) => callOf('lease_board', waiting, id));
		const sent = post(place, calls, { headers: withKey(user.key) });
		const queued = async () => (await user.send('GET', '/leases?status=queued')).body.data;
		await expect.poll(async () => (await queued()).length).toBe(10);
		await holder.release(body.id);
		for (const { id } of await queued()) await user.release(id);
		for (const { id } of (await user.send('GET', '/leases?status=active')).body.data) {
			await user.release(id);
		}
		const { text } = await sent;
		expect(text.match(/10 tool calls of this account are in progress/g)).toHaveLength(1);
	});

	test('an account has as many leases as it may, and the error says so', async () => {
		const boards = [boardNamed('one'), boardNamed('two')];
		const { lab, place } = await open({ boards, leasesPerAccount: 1 });
		const agent = await connect(place, (await lab.account()).key);
		const lease_id = await agent.lease('uno');
		expect(await agent.fail('lease_board', { boards: ['uno'] })).toMatch(/^Code: lease_limit$/m);
		await agent.use('release', { lease_id });
		await agent.lease('uno');
	});

	test('a request has at most 256 KiB, and only who has a key is read at all', async () => {
		const { lab, place } = await open();
		const headers = withKey((await lab.account()).key);
		const sized = (size: number) => {
			const empty = JSON.stringify(callOf('list_boards', { type: '' })).length;
			return callOf('list_boards', { type: 'x'.repeat(size - empty) });
		};
		expect(await post(place, sized(2 ** 18), { headers })).toMatchObject({ status: 200 });
		const { status, body } = await post(place, sized(2 ** 18 + 1), { headers });
		expect({ status, message: body.error.message }).toEqual({
			status: 413,
			message: expect.stringContaining('must not exceed 262144 bytes'),
		});
		expect(await post(place, sized(2 ** 18 + 1))).toMatchObject({ status: 401 });
	});

	test('a board with a price costs the account credits, and one too dear is not leased', async () => {
		const boards = [boardNamed('dear', { credits_per_minute: 10 })];
		const { lab, place } = await open({ boards });
		const user = await lab.account({ credits: 100 });
		const agent = await connect(place, user.key);
		const long = await agent.fail('lease_board', { boards: ['uno'], minutes: 11 });
		expect(long).toMatch(/needs 110 credits; you have 100 available/);
		expect(long).toMatch(/^Hint: Top up credits/m);
		expect(long).toMatch(/^Code: credits_exhausted$/m);
		const [lease] = (await agent.use('lease_board', { boards: ['uno'], minutes: 10 })).leases;
		const account = async () => (await user.send('GET', '/account')).body;
		const { credits } = await agent.use('release', { lease_id: lease.lease_id });
		expect(credits).toBeGreaterThan(0);
		expect(await account()).toMatchObject({ balance: 100 - credits });
	});

	test('another account can neither use a lease nor see it, and learns no more than of an unknown one', async () => {
		const { lab, place } = await open();
		const owner = await connect(place, (await lab.account()).key);
		const other = await connect(place, (await lab.account()).key);
		const lease_id = await owner.lease('uno');
		const unknown = `lse_${'0'.repeat(24)}`;
		const uses = {
			release: {},
			flash: { firmware: 'AAAA' },
			console_read: {},
			console_write: { text: 'x' },
			reset_and_capture: {},
			run_firmware: { expect: ['x'] },
		};
		for (const [name, given] of Object.entries(uses)) {
			const words = await other.fail(name, { ...given, lease_id });
			expect(words).toBe('There is no such lease.\nCode: lease_not_found');
			expect(words).toBe(await other.fail(name, { ...given, lease_id: unknown }));
		}
		const uri = `board-access://leases/${lease_id}/console`;
		await expect(other.client.readResource({ uri })).rejects.toThrow('There is no such lease');
		expect(await other.use('leases')).toMatchObject({ leases: [] });
		expect(await owner.use('leases')).toMatchObject({ leases: [{ lease_id, status: 'active' }] });
	});
});
