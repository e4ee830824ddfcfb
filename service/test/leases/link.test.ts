// The link between agent and service, request by request, with a scripted agent.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { boardChange } from '../../../core/src/announcements.ts';
import { storeImage } from '../../../core/src/base-images/store.ts';
import { importBoards } from '../../../core/src/boards/import.ts';
import { ruleTest } from '../../../core/test/support/databases.ts';
import { backends } from '../support/backends.ts';
import { type Bench, type BenchOptions, openBench } from '../support/bench.ts';
import { connectAgent } from '../support/scripted-agent.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const everything = ['flash', 'erase', 'reset', 'power_on', 'power_off'];

async function connect(
	bench: Bench,
	options: { bootId?: string; obliging?: boolean; actions?: string[] } = {},
) {
	const { actions = everything, ...rest } = options;
	const driven = Object.fromEntries(bench.boardIds.map((id) => [id, actions]));
	const agent = await connectAgent(bench.sendAsAgent, { driven, ...rest });
	cleanups.push(() => agent.cut());
	return agent;
}

const board = 'brd_bench_1';

describe.each(backends)('$name', (opening) => {
	const rule = ruleTest(opening.kind);

	async function open(options: BenchOptions = {}) {
		const bench = await openBench(opening, options);
		cleanups.push(() => bench.close());
		return bench;
	}

	/** A bench whose only board is leased, and prepared by an agent that accepts every action. */
	async function openLeased(options: BenchOptions = {}) {
		const bench = await open(options);
		const agent = await connect(bench, { obliging: true });
		const lease = await bench.user.activeLease({ board_id: board });
		await expect.poll(() => agent.lease(board)?.id).toBe(lease.id);
		return { bench, agent, lease, user: bench.user, fence: agent.fence(board) };
	}

	test('a board is offline until its agent has connected', async () => {
		const bench = await open();
		const { body } = await bench.user.json(`/boards/${board}`);
		expect(body).toMatchObject({
			status: 'offline',
			status_reason: expect.stringMatching(/agent/),
		});
		await connect(bench);
		expect((await bench.user.json(`/boards/${board}`)).body.status).toBe('available');
		const { body: agents } = await bench.user.json('/admin/agents');
		expect(agents.data).toMatchObject([{ online: true, board_ids: [board] }]);
	});

	rule(
		'the first line has every board, and an empty line follows within 5 seconds',
		{ tags: 'long' },
		async () => {
			const bench = await open({ boards: 2 });
			const agent = await connect(bench);
			expect([...agent.state.keys()]).toEqual(['brd_bench_1', 'brd_bench_2']);
			expect(agent.lease(board)).toBeUndefined();
			await vi.waitFor(() => expect(agent.lines).toContain(''), { timeout: 15_000 });
		},
	);

	rule(
		'the agent learns of a lease, its renewal and its end without a notification',
		{ tags: 'long' },
		async () => {
			const bench = await open({ boards: 2 });
			const agent = await connect(bench, { obliging: true });
			const announce = vi.spyOn(bench.services.wake, 'announce').mockImplementation(() => {});
			const { id } = await bench.user.lease({ board_id: board, minutes: 1 });
			const patient = { timeout: 10_000 };
			await vi.waitFor(() => {
				expect(agent.lease(board)?.id).toBe(id);
				// While the board is prepared, the agent has the time of the preparation.
				expect(agent.lease(board)?.remaining_ms).toBeLessThan(61_000);
			}, patient);
			await bench.user.json(`/leases/${id}/renew`, 'POST', { minutes: 60 });
			await vi.waitFor(
				() => expect(agent.lease(board)?.remaining_ms).toBeGreaterThan(61_000),
				patient,
			);
			await bench.user.release(id);
			await vi.waitFor(() => expect(agent.lease(board)).toBeUndefined(), patient);
			announce.mockRestore();
		},
	);

	test('without a notification the agent learns of a lease while another board has many notifications', {
		tags: 'long',
	}, async () => {
		const bench = await open({ boards: 2 });
		const agent = await connect(bench, { obliging: true });
		const { announce } = bench.services.wake;
		const lost = vi.spyOn(bench.services.wake, 'announce').mockImplementation(() => {});
		const others = setInterval(() => announce(boardChange('brd_bench_2')), 50);
		cleanups.push(async () => clearInterval(others));
		const { id } = await bench.user.lease({ board_id: board, minutes: 1 });
		await vi.waitFor(() => expect(agent.lease(board)?.id).toBe(id), { timeout: 10_000 });
		clearInterval(others);
		lost.mockRestore();
	});

	test('unconfirmed input is sent once on a connection, and again on the next one', async () => {
		const { bench, agent, lease, user } = await openLeased();
		expect((await user.type(lease.id, 'one ')).status).toBe(204);
		await user.type(lease.id, 'two');
		await expect.poll(() => agent.input.get(lease.id)).toBe('one two');
		const next = await connect(bench, { bootId: agent.bootId });
		await agent.ended;
		expect(next.input.get(lease.id)).toBe('one two');
		expect((await user.type(lease.id, 'x'.repeat(4097))).status).toBe(413);
	});

	test('output is appended once at its offset, and a gap is rejected', async () => {
		const { agent, lease, user, fence } = await openLeased();
		const write = async (offset: number, data: string) =>
			(await agent.write(lease.id, { fence, offset, data })).json();
		expect(await write(0, 'abc')).toEqual({ offset: 3 });
		expect(await write(0, 'abc')).toEqual({ offset: 3 });
		expect(await write(1, 'bcdef')).toEqual({ offset: 6 });
		expect((await write(9, 'x')).error).toMatchObject({ code: 'console_gap', param: '6' });
		const output = await user.console(lease.id);
		await output.see('abcdef');
		const rest = await user.console(lease.id, 4);
		await rest.see('ef');
		expect(rest.text()).toBe('ef');
		expect(rest.response.headers.get('x-console-offset')).toBe('4');
		await Promise.all([output.leave(), rest.leave()]);
	});

	test('two reports at the same offset are stored once', async () => {
		const { agent, lease, user, fence } = await openLeased();
		for (let round = 0; round < 10; round += 1) {
			const same = { fence, offset: round * 4, data: `<${round}>\n` };
			const both = await Promise.all([agent.write(lease.id, same), agent.write(lease.id, same)]);
			for (const each of both) expect(each.status).toBe(200);
		}
		await user.release(lease.id);
		const output = await user.console(lease.id);
		await output.ended;
		expect(output.text()).toBe(Array.from({ length: 10 }, (_, round) => `<${round}>\n`).join(''));
	});

	test('a console of many small chunks is read completely, from every offset', {
		tags: 'long',
	}, async () => {
		const { bench, agent, lease, user, fence } = await openLeased();
		const text = Array.from({ length: 60 }, (_, count) => `${count % 10}`).join('');
		for (const [offset, data] of [...text].entries()) {
			await agent.write(lease.id, { fence, offset, data });
			await user.type(lease.id, data);
		}
		const next = await connect(bench, { bootId: agent.bootId });
		await expect.poll(() => next.input.get(lease.id)).toBe(text);
		await user.release(lease.id);
		for (const from of [0, 1, 37, 59]) {
			const output = await user.console(lease.id, from);
			await output.ended;
			expect(output.text()).toBe(text.slice(from));
		}
	});

	test('the newest part of a long console is kept, with a mark for the missing bytes', async () => {
		const { agent, lease, user, fence } = await openLeased();
		const piece = 'z'.repeat(60_000);
		let offset = 0;
		for (; offset < 1_200_000; offset += piece.length) {
			expect((await agent.write(lease.id, { fence, offset, data: piece })).status).toBe(200);
		}
		await user.release(lease.id);
		const output = await user.console(lease.id);
		await output.ended;
		const start = Number(output.response.headers.get('x-console-offset'));
		expect(start + output.bytes().length).toBe(offset);
		const dropped = Number(/^\r\n\[… (\d+) bytes dropped …\]\r\n/.exec(output.text())?.[1]);
		expect(output.text().match(/z+$/)?.[0].length).toBe(offset - dropped);
		expect(offset - dropped).toBeLessThanOrEqual(1024 * 1024);
		expect(offset - dropped).toBeGreaterThan(900_000);
	});

	test('an action goes from queued to done, with the message of the agent', async () => {
		const bench = await open();
		const agent = await connect(bench);
		const lease = await bench.user.lease({ board_id: board });
		await expect.poll(() => agent.lease(board)?.actions).toHaveLength(1);
		const fence = agent.fence(board);
		const [prepare] = agent.lease(board)?.actions ?? [];
		expect(prepare).toMatchObject({ action: 'reset' });
		expect((await bench.user.json(`/leases/${lease.id}`)).body.status).toBe('preparing');
		await agent.report(prepare?.id ?? '', { fence, status: 'running' });
		await agent.report(prepare?.id ?? '', { fence, status: 'done' });
		await bench.user.waitFor(lease.id, 'active');

		const firmware = Buffer.from('raw firmware');
		const uploaded = await bench.user.upload(lease.id, firmware, '?raw=true');
		expect(uploaded.status).toBe(201);
		const file = await uploaded.json();
		expect(file).toMatchObject({ size: firmware.length, format: 'raw' });
		const acted = bench.user.act(lease.id, {
			action: 'flash',
			file_id: file.id,
			flash_offset: '0x100',
		});
		await expect.poll(() => agent.lease(board)?.actions).toHaveLength(1);
		const [flash] = agent.lease(board)?.actions ?? [];
		expect(flash).toMatchObject({ file_id: file.id, flash_offset: '0x100' });
		expect(agent.lease(board)).not.toHaveProperty('output_from');
		const download = await agent.file(file.id, `fence=${fence}&board_id=${board}`);
		expect(Buffer.from(await download.arrayBuffer())).toEqual(firmware);
		expect(download.headers.get('x-file-sha256')).toBe(file.sha256);
		await agent.write(lease.id, { fence, offset: 0, data: 'old firmware\n' });
		const failed = { status: 'failed', message: 'No target' };
		await agent.report(flash?.id ?? '', { fence, ...failed, console_offset: 13 });
		await agent.report(flash?.id ?? '', { fence, status: 'done', message: 'Too late' });
		expect(await acted).toMatchObject({ ...failed, console_offset: 13 });
	});

	rule('the progress of an action is what the agent reported last', async () => {
		const bench = await open();
		const agent = await connect(bench, { actions: ['power_off'] });
		const lease = await bench.user.activeLease({ board_id: board });
		await expect.poll(() => agent.lease(board)?.id).toBe(lease.id);
		const fence = agent.fence(board);
		const path = `/leases/${lease.id}/actions`;
		const { body } = await bench.user.json(path, 'POST', { action: 'power_off' });
		expect(body.progress).toBeNull();
		const report = async (fields: object) => {
			const { status } = await agent.report(body.id, { fence, ...fields });
			return [status, (await bench.user.json(`${path}/${body.id}`)).body.progress];
		};
		expect(await report({ status: 'running' })).toEqual([204, null]);
		expect(await report({ status: 'running', progress: 0 })).toEqual([204, 0]);
		expect(await report({ status: 'running', progress: 43 })).toEqual([204, 43]);
		for (const progress of [-1, 101, 4.5, '50']) {
			expect(await report({ status: 'running', progress })).toEqual([400, 43]);
		}
		expect(await report({ status: 'failed', message: 'No target' })).toEqual([204, 43]);
		expect(await report({ status: 'running', progress: 90 })).toEqual([204, 43]);
	});

	rule('actions that the board or the lease does not allow are rejected', async () => {
		const { lease, user } = await openLeased();
		const act = async (input: object) =>
			(await user.json(`/leases/${lease.id}/actions`, 'POST', input)).body.error;
		expect(await act({ action: 'power_cycle' })).toMatchObject({
			code: 'invalid_request',
			param: 'action',
		});
		expect(await act({ action: 'flash', file_id: 'fil_none' })).toMatchObject({
			code: 'file_not_found',
		});
		const broken = await user.upload(lease.id, ':10000000zz\n');
		expect(await broken.json()).toMatchObject({ error: { code: 'invalid_firmware' } });
		await user.release(lease.id);
		expect(await act({ action: 'reset' })).toMatchObject({ code: 'lease_ended' });
		expect((await user.type(lease.id, 'x')).status).toBe(409);
		expect((await user.upload(lease.id, 'x')).status).toBe(409);
	});

	rule('an action and a file belong to the lease in the address', async () => {
		const { lease, user } = await openLeased();
		const file = await (await user.upload(lease.id, 'firmware', '?raw=true')).json();
		const action = await user.act(lease.id, { action: 'reset' });
		await user.release(lease.id);
		const { id } = await user.activeLease({ board_id: board });
		const read = await user.json(`/leases/${id}/actions/${action.id}`);
		expect(read.body.error.code).toBe('action_not_found');
		const flash = { action: 'flash', file_id: file.id, flash_offset: '0x0' };
		const refused = await user.json(`/leases/${id}/actions`, 'POST', flash);
		expect(refused.body.error.code).toBe('file_not_found');
	});

	test('reports for an earlier lease are rejected', async () => {
		const { bench, agent, lease, user, fence } = await openLeased();
		await agent.write(lease.id, { fence, offset: 0, data: 'mine' });
		const file = await (await user.upload(lease.id, 'firmware', '?raw=true')).json();
		const { body: action } = await user.json(`/leases/${lease.id}/actions`, 'POST', {
			action: 'reset',
		});
		await user.release(lease.id);
		const next = await bench.user.activeLease({ board_id: board });
		const late = [
			await agent.write(lease.id, { fence, offset: 4, data: 'late' }),
			await agent.write(next.id, { fence, offset: 0, data: 'late' }),
			await agent.report(action.id, { fence, status: 'done' }),
			await agent.report(action.id, { fence: fence + 1, status: 'done' }),
		];
		for (const response of late) {
			expect(response.status).toBe(409);
			expect((await response.json()).error.code).toBe('fence_outdated');
		}
		const download = await agent.file(file.id, `fence=${fence}&board_id=${board}`);
		expect(download.status).toBe(404);
		await user.release(next.id);
		const consoles = await Promise.all([user.console(lease.id), user.console(next.id)]);
		await Promise.all(consoles.map(({ ended }) => ended));
		expect(consoles.map(({ text }) => text())).toEqual(['mine', '']);
	});

	test('a fence beyond the range of the database is rejected without an internal error', async () => {
		const { agent, lease, user } = await openLeased();
		const file = await (await user.upload(lease.id, 'firmware', '?raw=true')).json();
		for (const fence of [2 ** 31, 999_999_999_999]) {
			const refused = [
				await agent.write(lease.id, { fence, offset: 0, data: 'x' }),
				await agent.file(file.id, `fence=${fence}&board_id=${board}`),
			];
			expect(refused.map(({ status }) => status)).toEqual([400, 400]);
		}
	});

	test('a restarted agent ends the leases of its boards', async () => {
		const { bench, agent, lease, user } = await openLeased();
		const output = await user.console(lease.id);
		await agent.cut();
		await connect(bench, { obliging: true });
		await output.ended;
		expect((await user.json(`/leases/${lease.id}`)).body).toMatchObject({
			status: 'ended',
			end_reason: 'agent_lost',
		});
		await user.activeLease({ board_id: board });
	});

	rule(
		'a silent agent loses its leases, and its boards are offline until it is back',
		{ tags: 'long' },
		async () => {
			const { bench, agent, lease, user } = await openLeased({ agentTimeout: 2 });
			await agent.cut();
			await user.waitFor(lease.id, 'ended');
			expect((await user.json(`/leases/${lease.id}`)).body.end_reason).toBe('agent_lost');
			expect((await user.json(`/boards/${board}`)).body.status).toBe('offline');
			await connect(bench, { bootId: agent.bootId });
			expect((await user.json(`/boards/${board}`)).body.status).toBe('available');
		},
	);

	rule('a lease survives a short network outage', async () => {
		const { bench, agent, lease, user, fence } = await openLeased();
		await agent.write(lease.id, { fence, offset: 0, data: 'before ' });
		await agent.cut();
		const back = await connect(bench, { bootId: agent.bootId });
		expect(back.lease(board)?.id).toBe(lease.id);
		await back.write(lease.id, { fence, offset: 7, data: 'after' });
		const output = await user.console(lease.id);
		await output.see('before after');
		await output.leave();
	});

	rule('the output of a lease begins with the last action of its preparation', async () => {
		const bench = await open();
		await storeImage(bench.services.database.query, {
			board_type: 'bench',
			action: 'flash',
			name: 'Never downloaded',
			description: '',
			url: 'https://images.example.invalid/base.hex',
			flash_offset: '0x0',
			enabled: true,
		});
		const agent = await connect(bench, { actions: [...everything, 'power_cycle'] });
		const { id } = await bench.user.lease({ board_id: board });
		await expect.poll(() => agent.lease(board)?.actions).toHaveLength(1);
		const steps = (await bench.user.json(`/leases/${id}/actions`)).body.data;
		expect(steps).toMatchObject([
			{ action: 'power_cycle' },
			{ action: 'flash' },
			{ action: 'reset' },
		]);
		expect(agent.lease(board)).toMatchObject({
			actions: [{ id: steps[0].id }],
			output_from: steps[2].id,
		});
	});

	rule('a lease that requires an agent ends when the only board with one has failed', async () => {
		const bench = await open();
		const undriven = { id: 'brd_undriven', name: 'undriven', board_type: 'bench' };
		const fields = { status: 'available' as const, description: '', tags: {} };
		await importBoards(bench.services.database.query, [{ ...undriven, ...fields }]);
		const agent = await connect(bench);
		const { id } = await bench.user.lease({ board_type: 'bench', requires_agent: true });
		const failed = new Set<string>();
		await vi.waitFor(
			async () => {
				for (const action of agent.lease(board)?.actions ?? []) {
					if (failed.has(action.id)) continue;
					failed.add(action.id);
					await agent.report(action.id, { fence: agent.fence(board), status: 'failed' });
				}
				expect((await bench.user.json(`/leases/${id}`)).body.status).toBe('ended');
			},
			{ timeout: 15_000 },
		);
		const { body } = await bench.user.json(`/leases/${id}`);
		expect(body.end_reason).toBe('prepare_failed');
	});

	test('streams end when the service stops', async () => {
		const { bench, agent, lease, user } = await openLeased();
		const output = await user.console(lease.id);
		cleanups.splice(cleanups.length - 2, 2);
		await bench.close();
		await Promise.all([output.ended, agent.ended]);
	});
});
