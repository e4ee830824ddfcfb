// A lease can require a board that an agent drives, because other boards cannot be flashed or read.
import { afterEach, describe, expect, test } from 'vitest';
import { readBoardsPage } from '../../src/boards/list.ts';
import { addAgent, unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab } from '../support/lab.ts';

let lab: Lab;
afterEach(() => lab.close());

const driven = 'brd_uno_3';
const wanted = { board_type: 'uno', requires_agent: true };

describe.each(databaseKinds)('on %s', (kind) => {
	/** Three boards; an agent drives the last one. */
	const open = async () => {
		lab = await openLab(kind, { boards: unoBoards(3) });
		await addAgent(lab.query, [driven]);
		return lab.account();
	};

	test('the list and the board say which boards have an agent', async () => {
		const user = await open();
		const page = await readBoardsPage(lab.core.database.query, {}, { limit: 50 });
		const boards: { id: string; has_agent: boolean }[] = JSON.parse(page.json).data;
		const found = boards.map(({ id, has_agent }) => [id, has_agent]);
		expect(found).toEqual([
			['brd_uno_1', false],
			['brd_uno_2', false],
			[driven, true],
		]);
		for (const board of boards) expect(await user.board(board.id)).toEqual(board);
	});

	test('a board that an agent drives is leased before others', async () => {
		const user = await open();
		expect((await user.lease({ board_type: 'uno' })).board_id).toBe(driven);
		expect((await user.lease({ board_type: 'uno' })).board_id).toBe('brd_uno_1');
	});

	test.each([{ board_type: 'uno' }, { board_id: 'brd_uno_1' }])(
		'is refused at once if there is none: %j',
		async (board) => {
			const user = await open();
			await lab.query.updateTable('boards').set({ agent_id: null }).execute();
			await expect(user.lease({ ...board, requires_agent: true })).rejects.toMatchObject({
				code: 'board_has_no_agent',
				message: expect.stringContaining(Object.values(board)[0] ?? ''),
			});
			expect(await lab.query.selectFrom('leases').selectAll().execute()).toEqual([]);
		},
	);

	test('waits for the board although others are available, and other leases can still get those', async () => {
		const user = await open();
		const first = await user.lease(wanted);
		expect(first.board_id).toBe(driven);
		await expect(user.lease(wanted)).rejects.toMatchObject({
			code: 'no_board_available',
			message: expect.stringContaining(
				'of type uno with an agent is free for you: of 1, 1 is in use',
			),
		});
		const waiting = await user.lease({ ...wanted, wait_seconds: 60 });
		expect(waiting.status).toBe('queued');
		for (const id of ['brd_uno_1', 'brd_uno_2']) {
			expect((await user.lease({ board_type: 'uno' })).board_id).toBe(id);
		}
		await user.release(first.id);
		expect(await user.read(waiting.id)).toMatchObject({ board_id: driven });
	});
});
