// Agents as administrators see them, and what a token gives access to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, onSqlite } from '../support/backends.ts';
import { type Bench, openBench } from '../support/bench.ts';
import { connectAgent, connecting, sendAs } from '../support/scripted-agent.ts';

describe.each(backends)('$name', (opening) => {
	let bench: Bench;
	beforeAll(async () => {
		bench = await openBench(opening, { boards: 3 });
	});
	afterAll(() => bench.close());

	const create = (input: object) => bench.user.json('/admin/agents', 'POST', input);

	test('an agent is created, listed, renamed and revoked', async () => {
		const { status, body } = await create({ name: ' Lab ', board_ids: ['brd_bench_2'] });
		expect(status).toBe(201);
		expect(body).toEqual({
			id: expect.stringMatching(/^agt_[0-9a-f]{24}$/),
			name: 'Lab',
			hint: `${body.token.slice(0, 8)}…${body.token.slice(-4)}`,
			online: false,
			board_ids: ['brd_bench_2'],
			created_at: expect.any(String),
			last_seen_at: null,
			revoked_at: null,
			token: expect.stringMatching(/^agt_[0-9a-f]{48}$/),
		});
		const { token: _token, ...record } = body;
		expect((await bench.user.json(`/admin/agents/${body.id}`)).body).toEqual(record);
		expect((await bench.user.json('/admin/agents')).body.data).toContainEqual(record);
		const changed = await bench.user.json(`/admin/agents/${body.id}`, 'PATCH', {
			name: 'Lab 2',
			board_ids: ['brd_bench_3'],
		});
		expect(changed.body).toEqual({ ...record, name: 'Lab 2', board_ids: ['brd_bench_3'] });
		const revoked = await bench.user.json(`/admin/agents/${body.id}`, 'DELETE');
		expect(revoked.body.revoked_at).toEqual(expect.any(String));
		expect((await bench.user.json(`/admin/agents/${body.id}`, 'DELETE')).body).toEqual(
			revoked.body,
		);
		const send = sendAs(bench.baseUrl, body.token, bench.fetch);
		expect((await send('/work', connecting('a'))).status).toBe(401);
	});

	test('an unknown board is rejected', async () => {
		const unknown = await create({ name: 'Lab', board_ids: ['brd_none'] });
		expect(unknown.body.error).toMatchObject({ code: 'invalid_request', param: 'board_ids' });
	});

	test('an agent token is valid for the agent connection only, and an API key is not valid for it', async () => {
		const asAgent = { headers: { authorization: `Bearer ${bench.token}` } };
		for (const path of ['/v1/boards', '/v1/leases', '/v1/auth/keys', '/v1/admin/agents']) {
			expect((await bench.send(path, asAgent)).status).toBe(401);
		}
		const link = [
			['POST', '/work'],
			['POST', '/actions/act_1'],
			['POST', '/console/lse_1?fence=1&offset=0'],
			['GET', '/files/fil_1?fence=1&board_id=brd_bench_1'],
		] as const;
		for (const [method, path] of link) {
			for (const credential of [bench.apiKey, `agt_${'0'.repeat(48)}`, bench.agentId]) {
				const response = await sendAs(bench.baseUrl, credential, bench.fetch)(path, { method });
				expect(response.status).toBe(401);
				expect((await response.json()).error.code).toBe('agent_token_invalid');
			}
		}
	});

	test('a token gives access only to the boards of its agent', async () => {
		const other = (await create({ name: 'Other', board_ids: [] })).body;
		const send = sendAs(bench.baseUrl, other.token, bench.fetch);
		const driven = { brd_bench_1: ['reset', 'flash'] };
		const owner = await connectAgent(bench.sendAsAgent, { driven, obliging: true });
		const lease = await bench.user.activeLease({ board_id: 'brd_bench_1' });
		const stranger = await connectAgent(send, {
			driven: { brd_bench_1: ['erase'] },
			known: { brd_bench_1: { fence: 999 } },
		});
		expect(stranger.state.size).toBe(0);
		const fence = owner.fence('brd_bench_1');
		const act = (input: object) => bench.user.json(`/leases/${lease.id}/actions`, 'POST', input);
		const { body } = await act({ action: 'reset' });
		expect(body).toMatchObject({ action: 'reset' });
		const file = await (await bench.user.upload(lease.id, 'firmware', '?raw=true')).json();
		await act({ action: 'flash', file_id: file.id });
		const query = `fence=${fence}&board_id=brd_bench_1`;
		expect((await owner.file(file.id, query)).status).toBe(200);
		const attempts = [
			await stranger.write(lease.id, { fence, offset: 0, data: 'x' }),
			await stranger.report(body.id, { fence, status: 'failed' }),
			await stranger.file(file.id, query),
		];
		expect(attempts.map(({ status }) => status)).toEqual([409, 409, 404]);
		const moved = await create({ name: 'Thief', board_ids: ['brd_bench_1'] });
		expect(moved.body.error.code).toBe('board_in_use');
		await bench.user.release(lease.id);
		expect((await owner.report(body.id, { fence, status: 'failed' })).status).toBe(409);
		await Promise.all([owner.cut(), stranger.cut()]);
	});
});

test('requests with invalid tokens are limited like those with invalid keys', async () => {
	const bench = await openBench(onSqlite, { rateLimitFailedCredentials: 5 });
	const send = sendAs(bench.baseUrl, `agt_${'0'.repeat(48)}`, bench.fetch);
	for (let count = 0; count < 5; count += 1) {
		expect((await send('/work', connecting('a'))).status).toBe(401);
	}
	expect((await send('/work', connecting('a'))).status).toBe(429);
	await bench.close();
});
