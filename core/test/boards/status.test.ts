// The status of a board under maintenance, without its agent, in a lease, and after imports.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { setMaintenance, updateBoard } from '../../src/boards/commands.ts';
import { exportBoards } from '../../src/boards/files.ts';
import { importBoards } from '../../src/boards/import.ts';
import { openConnection } from '../../src/link/connection.ts';
import { addAgent, refreshBoards, unoBoards } from '../support/boards.ts';
import { databaseKinds, ruleTest } from '../support/databases.ts';
import { type Lab, openLab, requestOf } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

let lab: Lab;
afterEach(() => {
	vi.useRealTimers();
	return lab.close();
});

const id = 'brd_uno_1';

async function maintain(on: boolean, reason = '', boardId = id) {
	const { caller } = await lab.account({ admin: true });
	const request = requestOf({ ids: { id: boardId }, input: { on, reason } });
	return setMaintenance(lab.core, caller, request);
}

describe.each(databaseKinds)('the status of a board on %s', (kind) => {
	const rule = ruleTest(kind);

	test('is maintenance even if it is leased, and the lease continues', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const lease = await user.lease({ board_type: 'uno' });
		expect(await maintain(true, 'A new cable')).toMatchObject({
			status: 'maintenance',
			status_reason: 'A new cable',
		});
		expect(await user.read(lease.id)).toMatchObject({ status: 'active' });
		await user.release(lease.id);
		expect(await user.board(id)).toMatchObject({ status: 'maintenance', lease_id: null });
		await expect(user.lease({ board_type: 'uno' })).rejects.toMatchObject({
			code: 'no_board_available',
		});
		expect(await maintain(false)).toMatchObject({ status: 'available', status_reason: '' });
	});

	rule('is known since it changed, and not since the board was changed otherwise', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-05-06T07:00:00Z') });
		const since = async () =>
			(await lab.query.selectFrom('boards').select('status_since').executeTakeFirstOrThrow())
				.status_since;
		expect(await since()).toBe('');
		const user = await lab.account();
		const lease = await user.lease({ board_type: 'uno' });
		expect(await since()).toBe('2030-05-06T07:00:00.000Z');
		passMinutes(1);
		await user.release(lease.id);
		expect(await since()).toMatch('2030-05-06T07:01');
		passMinutes(1);
		await maintain(true);
		passMinutes(1);
		const request = requestOf({ ids: { id }, input: { description: 'Another cable' } });
		await updateBoard(lab.core, user.caller, request);
		expect(await since()).toMatch('2030-05-06T07:02');
	});

	test('goes to a waiting lease once maintenance has ended', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		await maintain(true);
		const lease = await user.lease({ board_type: 'uno', wait_seconds: 60 });
		expect(lease).toMatchObject({ status: 'queued', queue_position: 1 });
		expect(await maintain(false)).toMatchObject({ status: 'in_use' });
		expect(await user.read(lease.id)).toMatchObject({ status: 'active', board_id: id });
	});

	rule('ending maintenance of a board that is not in maintenance changes nothing', async () => {
		lab = await openLab(kind, { boards: unoBoards(1, { status: 'offline' }) });
		expect(await maintain(false)).toMatchObject({ status: 'offline' });
		const missing = maintain(false, '', 'brd_none');
		await expect(missing).rejects.toMatchObject({ code: 'board_not_found' });
	});

	test('is offline while its agent does not drive it', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const agent = await addAgent(lab.query, [id]);
		expect(await user.board(id)).toMatchObject({ status: 'available' });
		await lab.query.updateTable('boards').set({ capabilities: null }).execute();
		await refreshBoards(lab.query, [id]);
		expect(await user.board(id)).toMatchObject({
			status: 'offline',
			status_reason: 'The agent of this board is not connected.',
		});
		await agent.connect();
		expect(await user.board(id)).toMatchObject({ status: 'available', status_reason: '' });
	});

	rule('is not updated by an agent that connects while the board is in maintenance', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const agent = await addAgent(lab.query, [id]);
		await maintain(true);
		await lab.query.updateTable('boards').set({ capabilities: null }).execute();
		const before = await user.board(id);
		const passed = new Date().toISOString();
		passMinutes(1);
		const boards = { [id]: { actions: [], console: false, between_leases: 'erase' as const } };
		await openConnection(lab.core, { agentId: agent.id, boot_id: 'first', boards, tokenHash: '' });
		expect(await user.board(id)).toEqual({ ...before, keeps_firmware: false });
		const { capabilities, status_since } = await lab.query
			.selectFrom('boards')
			.select(['capabilities', 'status_since'])
			.executeTakeFirstOrThrow();
		expect(capabilities).not.toBeNull();
		expect(status_since <= passed).toBe(true);
	});

	test('and its lease are not changed by an import', async () => {
		lab = await openLab(kind, { boards: unoBoards(1) });
		const user = await lab.account();
		const lease = await user.lease({ board_type: 'uno' });
		const exported = JSON.parse(await exportBoards(lab.query, 'json'));
		expect(exported).toMatchObject([{ id, status: 'available' }]);
		await importBoards(lab.query, unoBoards(1, { description: 'moved', lease_id: 'lse_other' }));
		expect(await user.board(id)).toMatchObject({
			status: 'in_use',
			lease_id: lease.id,
			description: 'moved',
		});
		await user.release(lease.id);
		expect(await user.board(id)).toMatchObject({ status: 'available', lease_id: null });
	});

	rule('an import of an export changes nothing but the time', async () => {
		lab = await openLab(kind, { boards: unoBoards(3, { credits_per_minute: 2 }) });
		await maintain(true, 'A new cable');
		const before = JSON.parse(await exportBoards(lab.query, 'json'));
		await importBoards(lab.query, before);
		const after = JSON.parse(await exportBoards(lab.query, 'json'));
		const withoutTime = (boards: { updated_at: string }[]) =>
			boards.map(({ updated_at: _time, ...board }) => board);
		expect(withoutTime(after)).toEqual(withoutTime(before));
		expect(before[0]).toMatchObject({ status: 'maintenance', status_reason: 'A new cable' });
	});
});
