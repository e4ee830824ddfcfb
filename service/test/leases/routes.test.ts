// Leases by the API. Each error code is in scenarios.test.ts, repeated requests in once.test.ts, the rules in the core.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { passMinutes } from '../../../core/test/support/time.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

let lab: Lab;
let user: LabAccount;
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

describe('a lease', () => {
	beforeEach(async () => {
		lab = await openLab('SQLite', { boards: unoBoards(1, { credits_per_minute: 1 }) });
		user = await lab.account({ credits: 20 });
	});

	test('is created, read, renewed, released once, and still there', async () => {
		const { status, body: lease } = await user.lease({ board_type: 'uno' });
		expect(status).toBe(201);
		expect(lease).toMatchObject({ status: 'active', board_id: 'brd_uno_1', credits: null });
		expect(await user.read(lease.id)).toMatchObject({ id: lease.id, status: 'active' });
		const renewed = await user.renew(lease.id, 20);
		expect(renewed).toMatchObject({ status: 200, body: { id: lease.id } });
		expect(renewed.body.latest_expires_at > renewed.body.expires_at).toBe(true);
		const released = await user.release(lease.id);
		expect(released).toMatchObject({
			status: 200,
			body: { status: 'ended', end_reason: 'released', credits: 1 },
		});
		expect(await user.release(lease.id)).toMatchObject({ status: 200, body: released.body });
		expect(await user.renew(lease.id, 5)).toMatchObject({
			status: 409,
			body: { error: { code: 'lease_ended' } },
		});
	});

	test('that an administrator ends costs what was used', async () => {
		const { body: lease } = await user.lease({ board_type: 'uno' });
		const admin = await lab.account({ admin: true });
		expect(await admin.send('DELETE', `/admin/leases/${lease.id}`)).toMatchObject({
			status: 200,
			body: { end_reason: 'admin', credits: 1, account_id: user.id },
		});
	});
});

test.each(databaseKinds)(
	'leases are listed newest first, by status and in pages on %s',
	async (kind) => {
		lab = await openLab(kind, { boards: unoBoards(5) });
		user = await lab.account();
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
		expect((await list('?status=ended')).data).toMatchObject([{ id: ids[0] }]);
		expect((await list('?status=active')).data).toHaveLength(4);
	},
);
