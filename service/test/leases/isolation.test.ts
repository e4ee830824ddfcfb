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

	test.each([
		['GET', '', undefined],
		['GET', '?wait=1', undefined],
		['POST', '/renew', { minutes: 5 }],
		['DELETE', '', undefined],
	])('%s %s gets the same response as an unknown lease', async (method, rest, body) => {
		const refused = async (lease: string) => {
			const response = await other.send(method, `/leases/${lease}${rest}`, {
				...(body && { body }),
			});
			const { request_id: _id, ...error } = response.body.error;
			return { status: response.status, error };
		};
		const theirs = await refused(id);
		expect(theirs).toMatchObject({ status: 404, error: { code: 'lease_not_found' } });
		expect(theirs).toEqual(await refused('lse_none'));
		expect(await owner.read(id)).toMatchObject({ status: 'active' });
	});

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

	test('only administrators see all leases, end one, and set maintenance', async () => {
		const requests = [
			['GET', '/admin/leases'],
			['DELETE', `/admin/leases/${id}`],
			['POST', '/admin/boards/brd_uno_1/maintenance'],
		] as const;
		for (const [method, path] of requests) {
			expect((await owner.send(method, path)).body.error.code).toBe('admin_required');
		}
	});

	test("a cursor of another account's list is rejected", async () => {
		await owner.lease({ board_type: 'uno', wait_seconds: 60 });
		const { next_cursor } = (await owner.send('GET', '/leases?limit=1')).body;
		const path = `/leases?limit=1&cursor=${next_cursor}`;
		expect((await owner.send('GET', path)).status).toBe(200);
		expect((await other.send('GET', path)).status).toBe(400);
	});
});
