// An account never sees or changes the lease of another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { type Lab, type LabAccount, openLab } from '../support/leasing.ts';

describe.each(databaseKinds)('the lease of another account on %s', (kind) => {
	let lab: Lab;
	let owner: LabAccount;
	let other: LabAccount;
	let id: string;
	beforeAll(async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		[owner, other] = [await lab.account(), await lab.account()];
		({ id } = (await owner.lease({ board_type: 'uno' })).body);
	});
	afterAll(() => lab.close());

	test('is listed for its holder and administrators only', async () => {
		expect((await other.send('GET', '/leases')).body.data).toEqual([]);
		expect((await owner.send('GET', '/leases')).body.data).toHaveLength(1);
		const admin = await lab.account({ admin: true });
		expect((await admin.send('GET', '/leases')).body.data).toEqual([]);
		const { data } = (await admin.send('GET', '/admin/leases?status=active')).body;
		expect(data).toMatchObject([{ id, account_id: owner.id }]);
	});

	test('is not shown on its board', async () => {
		expect(await other.board('brd_uno_1')).toMatchObject({ status: 'in_use', lease_id: null });
		expect(await owner.board('brd_uno_1')).toMatchObject({ lease_id: id });
		const listed = async (account: LabAccount) =>
			(await account.send('GET', '/boards')).body.data[0].lease_id;
		expect(await listed(owner)).toBe(id);
		expect(await listed(other)).toBeNull();
	});

	test("a cursor of another account's list is rejected", async () => {
		await owner.lease({ board_type: 'uno', wait_seconds: 60 });
		const { next_cursor } = (await owner.send('GET', '/leases?limit=1')).body;
		const path = `/leases?limit=1&cursor=${next_cursor}`;
		expect((await owner.send('GET', path)).status).toBe(200);
		expect((await other.send('GET', path)).status).toBe(400);
	});
});
