// The console of a lease: input that is written once, and bytes that a crash of the database has lost.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clockOf } from '../../../core/src/database/clock.ts';
import { chunksUntil } from '../../../core/src/leases/console/reader.ts';
import type { ConsoleTime } from '../../../core/src/leases/console/store.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { backends } from '../support/backends.ts';
import { openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';
import { countWatchers } from '../support/watchers.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const board = 'brd_bench_1';

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function openLeased(actions: string[] = []) {
		const bench = await openBench(opening, { rateLimitConsoleInput: 1e9 });
		cleanups.push(() => bench.close());
		const driven = { [board]: actions };
		const agent = await connectAgent(bench.sendAsAgent, { driven, obliging: true });
		cleanups.push(() => agent.cut());
		const lease = await bench.user.activeLease({ board_id: board });
		await expect.poll(() => agent.lease(board)?.id).toBe(lease.id);
		const type = async (text: string, query = '') => {
			const response = await bench.user.type(lease.id, text, query);
			if (response.status === 204) return Number(response.headers.get('x-console-offset'));
			const { code, param } = (await response.json()).error;
			return { code, param };
		};
		const typed = () => agent.input.get(lease.id);
		const fence = agent.fence(board);
		return { bench, agent, lease, user: bench.user, fence, type, typed };
	}

	/** What a crash of PostgreSQL leaves of a table that is not logged. */
	async function crash({ bench }: Awaited<ReturnType<typeof openLeased>>) {
		await bench.services.database.query.deleteFrom('console_chunks').execute();
	}

	test('input at an offset is written once, however often it is sent', async () => {
		const { type, typed } = await openLeased();
		expect(await type('one', '?offset=0')).toBe(3);
		expect(await type('one', '?offset=0')).toBe(3);
		expect(await type('two', '?offset=3')).toBe(6);
		expect(await type('one', '?offset=0')).toBe(3);
		expect(await type('xxx', '?offset=3')).toEqual({ code: 'console_gap', param: '6' });
		expect(await type('three', '?offset=3')).toEqual({ code: 'console_gap', param: '6' });
		expect(await type('later', '?offset=9')).toEqual({ code: 'console_gap', param: '6' });
		expect(await type('three')).toBe(11);
		expect(await type('')).toBe(11);
		await expect.poll(() => typed()).toBe('onetwothree');
	});

	test('the same input of another writer is not mistaken for a repeated request', async () => {
		const { type, typed } = await openLeased();
		const both = await Promise.all([1, 2].map((name) => type('\r', `?offset=0&piece=${name}`)));
		expect(both).toContainEqual({ code: 'console_gap', param: '1' });
		expect(both).toContain(1);
		expect(await type('\r', '?offset=1&piece=3')).toBe(2);
		await expect.poll(() => typed()).toBe('\r\r');
	});

	rule(
		'a repeated request does not mistake the same input of another writer for its own',
		async () => {
			const { type, typed } = await openLeased();
			expect(await type('\r', '?offset=0&piece=one')).toBe(1);
			expect(await type('\r', '?offset=0&piece=two')).toEqual({ code: 'console_gap', param: '1' });
			expect(await type('\r', '?offset=1&piece=two')).toBe(2);
			expect(await type('\r', '?offset=0&piece=one')).toBe(1);
			expect(await type('\r', '?offset=1&piece=two')).toBe(2);
			expect(await type('\r', '?offset=1&piece=%20')).toMatchObject({ code: 'invalid_request' });
			await vi.waitFor(() => expect(typed()).toBe('\r\r'));
		},
	);

	test('a repeated request whose bytes a crash of the database has lost names no offset', async () => {
		const leased = await openLeased();
		const { type } = leased;
		await type('one');
		await crash(leased);
		expect(await type('one', '?offset=0')).toEqual({ code: 'console_gap', param: undefined });
		expect(await type('two', '?offset=3')).toBe(6);
		expect(await type('one', '?offset=0')).toEqual({ code: 'console_gap', param: undefined });
	});

	test('the lease shows whether the console of its board is connected, by the newest report', async () => {
		const { bench, agent, lease, user, fence } = await openLeased();
		const read = async (query = '') => (await user.json(`/leases/${lease.id}${query}`)).body;
		const tell = async (state: object, offset = 0) => {
			const query = `&console=${encodeURIComponent(JSON.stringify({ gap_ms: 0, ...state }))}`;
			return (await agent.write(lease.id, { fence, offset, data: 'text', query })).status;
		};
		const disconnected = { change: 2, status: 'disconnected', message: 'unplugged' };
		expect(await read()).toMatchObject({ console_status: null });
		expect(await tell({ change: 1, status: 'connected' })).toBe(200);
		const watchers = countWatchers(bench.services);
		const waiting = read('?wait=60&status=active');
		await expect.poll(watchers).toBeGreaterThan(0);
		await read();
		expect(await tell(disconnected, 4)).toBe(200);
		const lost = { console_status: 'disconnected', console_message: 'unplugged' };
		const console_lost_at = expect.stringMatching(/^20/);
		expect(await waiting).toMatchObject({ ...lost, console_lost_at, console_gap_offset: null });
		const connected = { change: 3, status: 'connected', gap_ms: 70 };
		expect(await tell(connected, 8)).toBe(200);
		// A report that was on its way for long.
		expect(await tell(disconnected, 4)).toBe(200);
		const gap = { console_gap_offset: 12, console_gap_ms: 70 };
		const back = { console_message: null, console_lost_at: null, ...gap };
		expect(await read()).toMatchObject({ console_status: 'connected', ...back });
		expect(await tell({ change: 4, status: 'asleep' }, 12)).toBe(400);
		expect(await tell({ change: 4 }, 12)).toBe(400);
	});

	rule(
		'a request that waits for a board to be prepared does not end when its console connects',
		async () => {
			const bench = await openBench(opening);
			cleanups.push(() => bench.close());
			const agent = await connectAgent(bench.sendAsAgent, { driven: { [board]: ['reset'] } });
			cleanups.push(() => agent.cut());
			const { id } = await bench.user.lease({ board_id: board });
			const waiting = bench.user.json(`/leases/${id}?wait=60&status=preparing`);
			await expect.poll(() => agent.lease(board)?.actions).toHaveLength(1);
			const fence = agent.fence(board);
			const query = `&console=${encodeURIComponent(connected)}`;
			await agent.write(id, { fence, offset: 0, data: 'boot', query });
			const step = agent.lease(board)?.actions[0]?.id ?? '';
			await agent.report(step, { fence, status: 'done' });
			expect((await waiting).body).toMatchObject({ status: 'active', console_status: 'connected' });
		},
	);

	async function openSynced() {
		const leased = await openLeased();
		const { agent, lease, user, fence } = leased;
		const write = (data: string, query: string, offset = 0) =>
			agent.write(lease.id, { fence, offset, data, query });
		await write('text', `&console=${encodeURIComponent(connected)}`);
		const sync = () => user.json(`/leases/${lease.id}/console/sync`, 'POST');
		const isAsked = (times: number) => expect.poll(() => agent.lease(board)?.sync).toBe(times);
		return { ...leased, write, sync, isAsked };
	}
	const connected = '{"change":1,"status":"connected","gap_ms":0}';
	const disconnected = '{"change":2,"status":"disconnected","gap_ms":0,"message":"unplugged"}';

	rule('the console is connected once the agent has sent all requested output', async () => {
		const { sync, isAsked, write } = await openSynced();
		const over: string[] = [];
		const first = sync().finally(() => over.push('first'));
		await isAsked(1);
		const second = sync().finally(() => over.push('second'));
		await isAsked(2);
		await write('late', '&synced=1', 4);
		expect(await first).toMatchObject({ status: 200, body: { console_status: 'connected' } });
		// Neither old numbers nor numbers that were not requested count.
		await write('', '&synced=1', 8);
		await write('', '&synced=3', 8);
		expect(over).toEqual(['first']);
		await write('', `&synced=2&console=${encodeURIComponent(disconnected)}`, 8);
		expect((await second).body).toMatchObject({ console_message: 'unplugged' });
	});

	rule(
		'the console of an agent that does not respond is disconnected',
		{ tags: 'long' },
		async () => {
			const { agent, user, lease, sync } = await openSynced();
			await agent.cut();
			const { status, body } = await sync();
			expect({ status, body }).toMatchObject({
				status: 200,
				body: {
					console_status: 'disconnected',
					console_message: 'The agent of the board did not respond.',
				},
			});
			expect((await user.json(`/leases/${lease.id}`)).body.console_status).toBe('connected');
		},
	);

	rule('a wait for output ends with the lease', async () => {
		const { user, lease, sync, isAsked } = await openSynced();
		const waiting = sync();
		await isAsked(1);
		await user.json(`/leases/${lease.id}`, 'DELETE');
		expect((await waiting).body).toMatchObject({ status: 'ended', console_status: 'connected' });
		expect((await sync()).body).toMatchObject({ status: 'ended' });
	});

	test('input that cannot be kept is rejected as a whole, until the agent has taken the earlier input', async () => {
		const { agent, lease, fence, type, typed } = await openLeased();
		const piece = 'x'.repeat(4000);
		let end = 0;
		for (; end + 4000 <= 64 * 1024; end += 4000) expect(await type(piece)).toBe(end + 4000);
		expect(await type(piece)).toMatchObject({ code: 'console_input_full' });
		await expect.poll(() => typed()?.length).toBe(end);
		expect(await type(piece)).toMatchObject({ code: 'console_input_full' });
		const confirm = (input: number) =>
			agent.write(lease.id, { fence, offset: 0, data: '', query: `&input=${input}` });
		expect((await confirm(8000)).status).toBe(200);
		expect(await type(piece)).toBe(end + 4000);
		await confirm(100);
		await confirm(end + 999_999);
		expect(await type(piece)).toBe(end + 8000);
		expect(await type(piece)).toMatchObject({ code: 'console_input_full' });
		// What the agent has taken is still compared with a repeated request.
		expect(await type(piece, '?offset=0')).toBe(4000);
	});

	rule('a new connection of the agent begins with the input that it has not taken', async () => {
		const { bench, agent, lease, fence, type } = await openLeased();
		await type('one two');
		await agent.write(lease.id, { fence, offset: 0, data: 'echo', query: '&input=4' });
		const driven = { [board]: [] };
		const next = await connectAgent(bench.sendAsAgent, { driven, bootId: agent.bootId });
		cleanups.push(() => next.cut());
		expect(next.lease(board)?.input).toEqual({
			offset: 4,
			data: Buffer.from('two').toString('base64'),
		});
	});

	rule('is reported at once to requests that wait for its board', async () => {
		const { bench, agent, lease, user } = await openLeased(['reset']);
		const said = async (path: string) => {
			const { headers } = await bench.send(`/v1/leases/${lease.id}${path}`);
			return headers.get('x-agent-connected');
		};
		const onConsole = async () => {
			const { response } = await user.console(lease.id);
			return response.headers.get('x-agent-connected');
		};
		expect(await onConsole()).toBe('true');
		await agent.cut();
		const { body: action } = await user.json(`/leases/${lease.id}/actions`, 'POST', {
			action: 'reset',
		});
		await expect.poll(() => said(`/actions/${action.id}`)).toBe('false');
		expect(await onConsole()).toBe('false');
		await user.release(lease.id);
		expect([await onConsole(), await said(`/actions/${action.id}`)]).toEqual([null, null]);
	});

	test('output is read with the times at which it was stored', async () => {
		const { bench, agent, lease, fence } = await openLeased();
		const { database } = bench.services;
		const moments = [clockOf(database.query).now()];
		for (const [offset, data] of [
			[0, 'one '],
			[4, 'two'],
		] as const) {
			await agent.write(lease.id, { fence, offset, data });
			moments.push(clockOf(database.query).now());
		}
		const range = { leaseId: lease.id, from: 0, end: 7 };
		const times: ConsoleTime[] = [];
		for await (const chunk of chunksUntil(database, range)) {
			if (chunk.kind === 'bytes') times.push(...chunk.times);
		}
		expect(times.map(([offset]) => offset)).toEqual([0, 4]);
		for (const [index, [, time]] of times.entries()) {
			expect(time).toBeGreaterThanOrEqual(Math.floor(moments[index] ?? Number.NaN));
			expect(time).toBeLessThanOrEqual(Math.ceil(moments[index + 1] ?? Number.NaN));
		}
	});

	test('output that a crash of the database has lost is marked', async () => {
		const leased = await openLeased();
		const { agent, lease, user, fence } = leased;
		await agent.write(lease.id, { fence, offset: 0, data: 'x'.repeat(100) });
		await crash(leased);
		const early = await user.console(lease.id);
		await early.see('[… 100 bytes dropped …]');
		await agent.write(lease.id, { fence, offset: 100, data: 'after' });
		await early.see('after');
		for (const from of [0, 40, 98, 100]) {
			const raw = await user.console(lease.id, from);
			await raw.see('after');
			const start = Number(raw.response.headers.get('x-console-offset'));
			expect(start).toBeGreaterThanOrEqual(from);
			expect(start + raw.bytes().length).toBe(105);
			expect(raw.text()).toMatch(
				from < 98 ? /^\r\n\[… \d+ bytes dropped …\]\r\nafter$/ : /^after$/,
			);
			expect(raw.response.headers.get('x-console-end')).toBe('105');
			await raw.leave();
		}
		await early.leave();
	});

	rule(
		'a reader of a console that lost output in a crash gets a mark, and no empty responses',
		async () => {
			const leased = await openLeased();
			const { agent, lease, user, fence } = leased;
			const announce = vi
				.spyOn(leased.bench.services.wake, 'announce')
				.mockImplementation(() => {});
			await agent.write(lease.id, { fence, offset: 0, data: 'x'.repeat(100) });
			await crash(leased);
			announce.mockRestore();
			const responses: string[] = [];
			for (let next = 0; next < 100; ) {
				const raw = await user.console(lease.id, next);
				await raw.see('dropped');
				await raw.leave();
				responses.push(raw.text());
				next = Number(raw.response.headers.get('x-console-offset')) + raw.bytes().length;
			}
			expect(responses).toEqual(['\r\n[… 100 bytes dropped …]\r\n']);
		},
	);

	rule('the agent learns how much input a crash of the database has lost', async () => {
		const leased = await openLeased();
		const { bench, agent, lease, type } = leased;
		await type('taken by nobody');
		await agent.cut();
		await crash(leased);
		const driven = { [board]: [] };
		const next = await connectAgent(bench.sendAsAgent, { driven, bootId: agent.bootId });
		cleanups.push(() => next.cut());
		expect(next.lease(board)?.input).toEqual({ offset: 15, data: '' });
		expect(await type('more')).toBe(19);
		await expect
			.poll(() => next.lease(board)?.input)
			.toEqual({
				offset: 15,
				data: Buffer.from('more').toString('base64'),
			});
		expect(lease.id).toBe(next.lease(board)?.id);
	});
});
