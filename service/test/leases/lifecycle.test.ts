// A lease from its creation to its end, on boards without an agent.
import { leaseInput } from 'board-access-contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { issueKey, revokeKey } from '../../../core/src/keys/store.ts';
import { requestLease } from '../../../core/src/leases/queue/create.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, ruleTest } from '../../../core/test/support/databases.ts';
import { passMinutes } from '../../../core/test/support/time.ts';
import { type Lab, openLab } from '../support/leasing.ts';

let lab: Lab;
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

describe.each(databaseKinds)('a lease on %s', (kind) => {
	const rule = ruleTest(kind);

	test('holds its board from the grant to the release', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { status, body: lease } = await user.lease({ board_type: 'uno', label: ' ci ' });
		expect(status).toBe(201);
		expect(lease).toMatchObject({
			status: 'active',
			board_id: 'brd_uno_1',
			board_type: 'uno',
			label: 'ci',
			queue_position: null,
			minutes: 10,
			ended_at: null,
			credits: null,
		});
		expect(Date.parse(lease.expires_at) - Date.parse(lease.started_at)).toBe(600_000);
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'in_use', lease_id: lease.id });
		const released = await user.release(lease.id);
		expect(released.body).toMatchObject({ status: 'ended', end_reason: 'released', credits: 0 });
		expect((await user.release(lease.id)).body).toEqual(released.body);
		expect(await user.read(lease.id)).toEqual(released.body);
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'available', lease_id: null });
	});

	rule('is not created in a session that has ended meanwhile', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const { id: accountId } = await lab.account();
		const holder = { accountId, sessionId: 'ses_ended' };
		const request = { holder, input: leaseInput.parse({ board_type: 'uno' }) };
		const rejected = { code: 'credentials_missing' };
		await expect(requestLease(lab.parts, request)).rejects.toMatchObject(rejected);
	});

	test('is not created with a key that was revoked meanwhile, whether or not others wait', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const { query, parts } = lab;
		const [user, other] = [await lab.account(), await lab.account()];
		const { id: keyId } = await issueKey(query, { accountId: user.id });
		await revokeKey(query, { accountId: user.id, id: keyId });
		const input = { ...leaseInput.parse({ board_type: 'uno' }), wait_seconds: 60 };
		const request = { holder: { accountId: user.id, keyId }, input };
		const rejected = { code: 'api_key_revoked' };
		await expect(requestLease(parts, request)).rejects.toMatchObject(rejected);
		await other.lease({ board_type: 'uno' });
		await other.lease({ board_type: 'uno', wait_seconds: 60 });
		await expect(requestLease(parts, request)).rejects.toMatchObject(rejected);
	});

	rule('holds a specific board', async () => {
		lab = await openLab(kind, { boards: unoBoards(3) });
		const user = await lab.account();
		const { body } = await user.lease({ board_id: 'brd_uno_2' });
		expect(body).toMatchObject({ status: 'active', board_id: 'brd_uno_2', board_type: 'uno' });
		const again = await user.lease({ board_id: 'brd_uno_2' });
		expect(again.body.error).toMatchObject({
			code: 'no_board_available',
			message: expect.stringContaining('brd_uno_2'),
		});
	});

	rule('waits in the queue until a board is released', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { body: first } = await user.lease({ board_type: 'uno' });
		const { body: second } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		const { body: third } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect([second, third].map(({ status }) => status)).toEqual(['queued', 'queued']);
		expect([second, third].map((lease) => lease.queue_position)).toEqual([1, 2]);
		const waiting = user.read(second.id, '?wait=30&status=queued');
		await user.release(first.id);
		expect(await waiting).toMatchObject({ status: 'active', board_id: 'brd_uno_1' });
		expect(await user.read(third.id)).toMatchObject({ status: 'queued', queue_position: 1 });
	});

	rule('without a wait reports the status of the boards when none is available', async () => {
		const [busy, off, broken] = unoBoards(3);
		if (!busy || !off || !broken) throw new Error('There are three boards');
		lab = await openLab(kind, {
			boards: [busy, { ...off, status: 'offline' }, { ...broken, status: 'maintenance' }],
		});
		const user = await lab.account();
		await user.lease({ board_type: 'uno' });
		const { status, body } = await user.lease({ board_type: 'uno' });
		expect(status).toBe(409);
		expect(body.error).toMatchObject({
			code: 'no_board_available',
			message:
				'No board of type uno is free for you: of 3, 1 is offline, 1 is in maintenance, 1 is in use.',
			hint: expect.stringContaining('wait_seconds'),
		});
		for (const board_id of [off.id, broken.id]) {
			const { error } = (await user.lease({ board_id })).body;
			expect(error.hint).toMatch(/^Choose another board type, or contact the operator/);
		}
		const { data } = (await user.send('GET', '/leases')).body;
		expect(data).toHaveLength(1);
	});

	rule('ends with no_board when its wait is over', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		await user.lease({ board_type: 'uno', minutes: 30 });
		const { body } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		passMinutes(1);
		await keepLeases(lab.parts);
		expect(await user.read(body.id)).toMatchObject({
			status: 'ended',
			end_reason: 'no_board',
			end_message: 'No board became available within 60 seconds.',
			board_id: null,
			credits: 0,
		});
	});

	rule('that is queued is cancelled by its release', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { body: first } = await user.lease({ board_type: 'uno' });
		const { body: second } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect((await user.release(second.id)).body).toMatchObject({ end_reason: 'cancelled' });
		await user.release(first.id);
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'available' });
	});

	test('expires unless it is renewed, and its board becomes available', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 2 });
		passMinutes(1);
		const { body: renewed } = await user.renew(lease.id, 2);
		expect(Date.parse(renewed.expires_at) - Date.parse(lease.expires_at)).toBeGreaterThan(59_000);
		passMinutes(1.5);
		await keepLeases(lab.parts);
		expect(await user.read(lease.id)).toMatchObject({ status: 'active' });
		passMinutes(0.6);
		// Its time is over even before anything has ended it.
		expect((await user.renew(lease.id, 2)).body.error).toMatchObject({ code: 'lease_ended' });
		await keepLeases(lab.parts);
		expect(await user.read(lease.id)).toMatchObject({
			status: 'ended',
			end_reason: 'expired',
			end_message: 'The lease was not renewed in time.',
		});
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'available', lease_id: null });
		expect((await user.renew(lease.id, 2)).body.error).toMatchObject({ code: 'lease_ended' });
	});

	rule('is never shortened by a renewal, and never exceeds the maximum', async () => {
		lab = await openLab(kind, { boards: unoBoards(1), leaseMaxMinutes: 30 });
		const user = await lab.account();
		expect((await user.lease({ board_type: 'uno', minutes: 31 })).body.error).toMatchObject({
			code: 'invalid_request',
			param: 'minutes',
		});
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		expect((await user.renew(lease.id, 2)).body.expires_at).toBe(lease.expires_at);
		passMinutes(5);
		const { body: capped } = await user.renew(lease.id, 60);
		expect(Date.parse(capped.expires_at) - Date.parse(lease.started_at)).toBe(30 * 60_000);
		expect(capped.latest_expires_at).toBe(capped.expires_at);
		passMinutes(26);
		await keepLeases(lab.parts);
		expect(await user.read(lease.id)).toMatchObject({
			end_reason: 'expired',
			end_message: 'The lease has reached the maximum duration that the service allows: 30 min.',
		});
	});

	rule('has the time left, whatever the clock of the client', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 2 });
		passMinutes(0.5);
		const left = (await user.read(lease.id)).expires_in_ms;
		expect(left).toBeLessThanOrEqual(90_000);
		expect(left).toBeGreaterThan(60_000);
		const { data } = (await user.send('GET', '/leases')).body;
		expect(data[0].expires_in_ms).toBeLessThanOrEqual(left);
		expect((await user.release(lease.id)).body.expires_in_ms).toBeNull();
	});

	rule(
		'that waits has all its minutes once it has a board, however often it is renewed',
		async () => {
			lab = await openLab(kind, { boards: unoBoards(1) });
			const user = await lab.account();
			const { body: first } = await user.lease({ board_type: 'uno' });
			const { body: queued } = await user.lease({
				board_type: 'uno',
				minutes: 2,
				wait_seconds: 900,
			});
			expect(queued).toMatchObject({ status: 'queued', expires_at: null, expires_in_ms: null });
			passMinutes(5);
			await keepLeases(lab.parts);
			const renewed = await user.renew(queued.id, 2);
			expect(renewed).toMatchObject({ status: 200, body: { status: 'queued', expires_at: null } });
			await user.release(first.id);
			const { status, started_at, expires_at } = await user.read(queued.id);
			expect(status).toBe('active');
			expect(Date.parse(expires_at) - Date.parse(started_at)).toBe(120_000);
		},
	);

	rule('with a heartbeat leaves the queue when nobody renews it', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const { body: first } = await user.lease({ board_type: 'uno', minutes: 30 });
		const wanted = { board_type: 'uno', minutes: 2, wait_seconds: 900, heartbeat: true };
		const { body: dead } = await user.lease(wanted);
		const { body: live } = await user.lease(wanted);
		expect(Date.parse(live.expires_at) - Date.parse(live.created_at)).toBe(120_000);
		passMinutes(1.5);
		const { body: renewed } = await user.renew(live.id, 60);
		// No longer than the minutes that it has once it is active: the end never moves forward.
		expect(renewed.expires_in_ms).toBeLessThanOrEqual(120_000);
		expect(Date.parse(renewed.expires_at)).toBeGreaterThan(Date.parse(live.expires_at));
		passMinutes(1);
		await keepLeases(lab.parts);
		expect(await user.read(dead.id)).toMatchObject({ end_reason: 'expired', credits: 0 });
		expect(await user.read(live.id)).toMatchObject({ status: 'queued', queue_position: 1 });
		await user.release(first.id);
		const active = await user.read(live.id);
		expect(Date.parse(active.expires_at) - Date.parse(active.started_at)).toBe(120_000);
	});

	test('is created once, however often its creation is sent with one Idempotency-Key', async () => {
		lab = await openLab(kind, { boards: unoBoards(5) });
		const user = await lab.account();
		const create = () => user.lease({ board_type: 'uno' }, { 'idempotency-key': 'build 7' });
		const responses = await Promise.all([create(), create(), create()]);
		expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
		expect((await user.send('GET', '/leases')).body.data).toHaveLength(1);
	});

	rule('that was rejected can be requested again with the same Idempotency-Key', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const create = () => user.lease({ board_type: 'uno' }, { 'idempotency-key': 'build 7' });
		const { body: first } = await user.lease({ board_type: 'uno' });
		expect((await create()).status).toBe(409);
		await user.release(first.id);
		expect((await create()).status).toBe(201);
	});

	test('counts toward the limit of its account until it has ended', async () => {
		lab = await openLab(kind, { boards: unoBoards(1), leasesPerAccount: 2 });
		const user = await lab.account();
		const { body: first } = await user.lease({ board_type: 'uno' });
		const { body: queued } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		const { status, body } = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'lease_limit' });
		expect(body.error.message).toContain(`It has ${first.id}, ${queued.id}.`);
		await user.release(first.id);
		expect((await user.lease({ board_type: 'uno', wait_seconds: 60 })).status).toBe(201);
	});

	rule('is rejected above the limit of its account although a board is free', async () => {
		lab = await openLab(kind, { boards: unoBoards(3), leasesPerAccount: 2 });
		const user = await lab.account();
		const create = () => user.lease({ board_type: 'uno' });
		expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
		expect((await create()).body.error?.code).toBe('lease_limit');
	});

	rule('of a type or board that does not exist is rejected', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const type = await user.lease({ board_type: 'none' });
		expect([type.status, type.body.error.code]).toEqual([404, 'board_type_not_found']);
		const board = await user.lease({ board_id: 'brd_none' });
		expect([board.status, board.body.error.code]).toEqual([404, 'board_not_found']);
		const both = await user.lease({ board_id: 'brd_uno_1', board_type: 'uno' });
		expect(both.status).toBe(400);
	});

	test('is listed newest first, by status and in pages', async () => {
		lab = await openLab(kind, { boards: unoBoards(5) });
		const user = await lab.account();
		const ids: string[] = [];
		for (let count = 0; count < 5; count += 1) {
			ids.unshift((await user.lease({ board_type: 'uno' })).body.id);
			passMinutes(0.01);
		}
		const list = async (query: string) => (await user.send('GET', `/leases${query}`)).body;
		const first = await list('?limit=3');
		const second = await list(`?limit=3&cursor=${first.next_cursor}`);
		expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
		await user.release(ids[0] ?? '');
		expect((await list('?status=ended')).data.map(({ id }: { id: string }) => id)).toEqual([
			ids[0],
		]);
		expect((await list('?status=active')).data).toHaveLength(4);
	});
});
