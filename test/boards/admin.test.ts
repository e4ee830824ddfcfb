import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const path = '/v1/admin/boards';
const wire = { id: 'brd_1', name: 'Shelf 1', board_type: 'esp32-s3', credits_per_minute: 2 };

describe('managing boards', () => {
	it('creates one with the idempotency key', async () => {
		service()
			.post(path, { name: 'Shelf 1', board_type: 'esp32-s3', credits_per_minute: 2 })
			.matchHeader('idempotency-key', 'once')
			.reply(201, wire);
		const board = { name: 'Shelf 1', boardType: 'esp32-s3', creditsPerMinute: 2, tags: null };
		const created = createClient().admin.boards.create(board, { idempotencyKey: 'once' });
		expect(await created).toEqual({
			id: 'brd_1',
			name: 'Shelf 1',
			boardType: 'esp32-s3',
			creditsPerMinute: 2,
		});
	});

	it('gets, changes and deletes one', async () => {
		const { boards } = createClient().admin;
		service().get(`${path}/brd_1`).reply(200, wire);
		expect(await boards.get('brd_1')).toMatchObject({ name: 'Shelf 1' });
		service()
			.patch(`${path}/brd_1`, { status: 'maintenance', tags: { a_b: 'c' } })
			.reply(200, wire);
		await boards.update('brd_1', { status: 'maintenance', tags: { a_b: 'c' } });
		service().delete(`${path}/brd_1`).reply(204);
		expect(await boards.delete('brd_1')).toBeUndefined();
	});

	it('needs a name and a board type', async () => {
		const work = createClient().admin.boards.create({} as never);
		expect(await errorOf(work)).toMatchObject({
			issues: [
				{ path: 'name', message: 'must be of type string' },
				{ path: 'boardType', message: 'must be of type string' },
			],
		});
	});

	it.each(['', 'a/b', '..'])('rejects the id %j before anything is sent', async (id) => {
		const { boards } = createClient().admin;
		for (const work of [boards.get(id), boards.update(id, {}), boards.delete(id)]) {
			expect(await errorOf(work)).toMatchObject({ issues: [{ path: 'id' }] });
		}
	});
});
