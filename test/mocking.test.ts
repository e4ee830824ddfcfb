// What tests of users' code do with the client: mock the module, fake a part of it, return lists.
import { type Board, BoardAccess } from 'board-access';
import { describe, expect, it, vi } from 'vitest';

vi.mock('board-access');

const { Listing } = await vi.importActual<typeof import('board-access')>('board-access');

/** No more of a board than the test needs. */
const board = (id: string) => ({ id }) as Board;

/** As a user writes it: it takes no more of the client than it uses. */
const countFree = async ({ boards }: Pick<BoardAccess, 'boards'>) =>
	(await boards.list({ status: 'available' })).length;

describe('a client that a test runner has mocked', () => {
	it('has its namespaces and their methods', async () => {
		const client = new BoardAccess();
		vi.mocked(client.boards.list).mockReturnValue(Listing.of([board('brd_1')]));
		expect(await countFree(client)).toBe(1);
		expect(vi.isMockFunction(client.keys.create)).toBe(true);
		expect(vi.isMockFunction(client.admin.baseImages.create)).toBe(true);
		expect(vi.isMockFunction(client.activity.list)).toBe(true);
		expect(client.boards.list).toHaveBeenCalledExactlyOnceWith({ status: 'available' });
	});
});

describe('a list of records that a test wrote', () => {
	const boards = [board('brd_1'), board('brd_2')];

	it('behaves like a list from the service', async () => {
		const list = Listing.of(boards);
		expect(await list).toEqual(boards);
		expect(await list.first(1)).toEqual([{ id: 'brd_1' }]);
		const seen: string[] = [];
		for await (const { id } of list) seen.push(id);
		expect(seen).toEqual(['brd_1', 'brd_2']);
		expect((await list.pages().next()).value).toEqual({ items: boards, nextCursor: undefined });
	});

	it('can be one that fails', async () => {
		const list = Listing.of<Board>(Promise.reject(new Error('no')));
		await expect(list).rejects.toThrow('no');
	});

	it('is what a fake returns', async () => {
		const fake = {
			list: () => Listing.of(boards),
			get: async (id: string) => board(id),
			waitFor: async () => boards,
			async *watch() {},
		} satisfies BoardAccess['boards'];
		expect(await countFree({ boards: fake })).toBe(2);
	});
});
