// A lease from its creation to its end, as the databases keep it.

import { leaseInput } from 'board-access-contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { issueKey, revokeKey } from '../../src/keys/store.ts';
import { createLease } from '../../src/leases/commands.ts';
import { keepLeases } from '../../src/leases/scheduler.ts';
import { listLeases } from '../../src/leases/store.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds, ruleTest } from '../support/databases.ts';
import { type Lab, type LabAccount, openLab, requestOf } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

let lab: Lab;
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

const seconds = (from: string | null, to: string | null) =>
	(Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;

describe.each(databaseKinds)('a lease on %s', (kind) => {
	const rule = ruleTest(kind);
	const listed = async (user: LabAccount) => {
		const own = { accountId: user.id, of: 'own' } as const;
		return (await listLeases(lab.query, own, { limit: 50 })).data;
	};
	const claimOf = (user: LabAccount) => ({
		account_id: user.id,
		idempotency_key: 'build 7',
		request_hash: 'same',
	});

	test('holds its board from the grant to the release', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const lease = await user.lease({ board_type: 'uno', label: ' ci ' });
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
		expect(seconds(lease.started_at, lease.expires_at)).toBe(600);
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'in_use', lease_id: lease.id });
		const released = await user.release(lease.id);
		expect(released).toMatchObject({ status: 'ended', end_reason: 'released', credits: 0 });
		expect(await user.release(lease.id)).toEqual(released);
		expect(await user.read(lease.id)).toEqual(released);
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'available', lease_id: null });
	});

	rule('is not created in a session that has ended meanwhile', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const { id: accountId } = await lab.account();
		const holder = { accountId, sessionId: 'ses_ended' };
		const request = requestOf({ input: leaseInput.parse({ board_type: 'uno' }) });
		const rejected = { code: 'credentials_missing' };
		await expect(createLease(lab.core, holder, request)).rejects.toMatchObject(rejected);
	});

	test('is not created with a key that was revoked meanwhile, whether or not others wait', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const { query, core } = lab;
		const [user, other] = [await lab.account(), await lab.account()];
		const { id: keyId } = await issueKey(query, { accountId: user.id });
		await revokeKey(query, { accountId: user.id, id: keyId });
		const input = { ...leaseInput.parse({ board_type: 'uno' }), wait_seconds: 60 };
		const holder = { accountId: user.id, keyId };
		const request = requestOf({ input });
		const rejected = { code: 'api_key_revoked' };
		await expect(createLease(core, holder, request)).rejects.toMatchObject(rejected);
		await other.lease({ board_type: 'uno' });
		await other.lease({ board_type: 'uno', wait_seconds: 60 });
		await expect(createLease(core, holder, request)).rejects.toMatchObject(rejected);
	});

	rule('holds a specific board', async () => {
		lab = await openLab(kind, { boards: unoBoards(3) });
		const user = await lab.account();
		const lease = await user.lease({ board_id: 'brd_uno_2' });
		expect(lease).toMatchObject({ status: 'active', board_id: 'brd_uno_2', board_type: 'uno' });
		await expect(user.lease({ board_id: 'brd_uno_2' })).rejects.toMatchObject({
			code: 'no_board_available',
			message: expect.stringContaining('brd_uno_2'),
		});
	});

	rule('waits in the queue until a board is released', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const first = await user.lease({ board_type: 'uno' });
		const second = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		const third = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect([second, third].map(({ status }) => status)).toEqual(['queued', 'queued']);
		expect([second, third].map((lease) => lease.queue_position)).toEqual([1, 2]);
		await user.release(first.id);
		expect(await user.read(second.id)).toMatchObject({ status: 'active', board_id: 'brd_uno_1' });
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
		await expect(user.lease({ board_type: 'uno' })).rejects.toMatchObject({
			code: 'no_board_available',
			message:
				'No board of type uno is free for you: of 3, 1 is offline, 1 is in maintenance, 1 is in use.',
			details: { hint: expect.stringContaining('wait_seconds') },
		});
		for (const board_id of ['brd_uno_2', 'brd_uno_3']) {
			await expect(user.lease({ board_id })).rejects.toMatchObject({
				details: {
					hint: expect.stringMatching(/^Choose another board type, or contact the operator/),
				},
			});
		}
		expect(await listed(user)).toHaveLength(1);
	});

	test('ends once its wait, or the time until which it was renewed, is over', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const lease = await user.lease({ board_type: 'uno', minutes: 2 });
		const waiting = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		passMinutes(1);
		const renewed = await user.renew(lease.id, 2);
		expect(seconds(lease.expires_at, renewed.expires_at)).toBeGreaterThan(59);
		passMinutes(1.5);
		await keepLeases(lab.core);
		expect(await user.read(lease.id)).toMatchObject({ status: 'active' });
		expect(await user.read(waiting.id)).toMatchObject({ end_reason: 'no_board' });
		passMinutes(0.6);
		await keepLeases(lab.core);
		expect(await user.read(lease.id)).toMatchObject({ status: 'ended', end_reason: 'expired' });
		expect(await user.board('brd_uno_1')).toMatchObject({ status: 'available', lease_id: null });
	});

	rule('has the time left, whatever the clock of the client', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const lease = await user.lease({ board_type: 'uno', minutes: 2 });
		passMinutes(0.5);
		const left = (await user.read(lease.id)).expires_in_ms ?? 0;
		expect(left).toBeLessThanOrEqual(90_000);
		expect(left).toBeGreaterThan(60_000);
		expect((await listed(user))[0]?.expires_in_ms).toBeLessThanOrEqual(left);
		expect((await user.release(lease.id)).expires_in_ms).toBeNull();
	});

	test('is created once, however often its creation is requested with one idempotency key', async () => {
		lab = await openLab(kind, { boards: unoBoards(5) });
		const user = await lab.account();
		const create = () => user.lease({ board_type: 'uno' }, claimOf(user));
		const created = await Promise.all([create(), create(), create()]);
		expect(new Set(created.map(({ id }) => id)).size).toBe(1);
		expect(await listed(user)).toHaveLength(1);
	});

	rule('that was rejected can be requested again with the same idempotency key', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const create = () => user.lease({ board_type: 'uno' }, claimOf(user));
		const first = await user.lease({ board_type: 'uno' });
		await expect(create()).rejects.toMatchObject({ code: 'no_board_available' });
		await user.release(first.id);
		expect(await create()).toMatchObject({ status: 'active' });
	});

	test('counts toward the limit of its account until it has ended', async () => {
		lab = await openLab(kind, { boards: unoBoards(1), leasesPerAccount: 2 });
		const user = await lab.account();
		const first = await user.lease({ board_type: 'uno' });
		const queued = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		await expect(user.lease({ board_type: 'uno', wait_seconds: 60 })).rejects.toMatchObject({
			code: 'lease_limit',
			message: expect.stringContaining(`It has ${first.id}, ${queued.id}.`),
		});
		await user.release(first.id);
		await user.lease({ board_type: 'uno', wait_seconds: 60 });
	});

	rule('of a type or board that does not exist is rejected', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const type = user.lease({ board_type: 'none' });
		await expect(type).rejects.toMatchObject({ code: 'board_type_not_found' });
		const board = user.lease({ board_id: 'brd_none' });
		await expect(board).rejects.toMatchObject({ code: 'board_not_found' });
	});
});
