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

	it('begins and ends the maintenance of one', async () => {
		const { boards } = createClient().admin;
		const change = { on: true, reason: 'A new cable' };
		service().post(`${path}/brd_1/maintenance`, change).reply(200, wire);
		expect(await boards.setMaintenance('brd_1', change)).toMatchObject({ id: 'brd_1' });
		service().post(`${path}/brd_1/maintenance`, { on: false }).reply(200, wire);
		await boards.setMaintenance('brd_1', { on: false });
		expect(await errorOf(boards.setMaintenance('brd_1', {} as never))).toMatchObject({
			issues: [{ path: 'on', message: 'must be of type boolean' }],
		});
	});

	it('imports listed boards, boards of an export, and its text', async () => {
		const { boards } = createClient().admin;
		const counts = { added: 1, changed: 2, unchanged: 3 };
		const exported = { name: 'Shelf 2', board_type: 'esp32-s3', tags: { a_b: 'c', dE: 'f' } };
		service()
			.put(path, { boards: [wire, exported] })
			.reply(200, counts);
		const [listed, file] = [{ ...wire, boardType: 'esp32-s3' }, exported as never];
		expect(await boards.import([listed, file])).toEqual(counts);
		service().put(path, { boards: 'id,name\n' }).reply(200, counts);
		expect(await boards.import('id,name\n')).toEqual(counts);
		expect(await errorOf(boards.import([null as never]))).toMatchObject({ code: 'invalid_input' });
	});
});
