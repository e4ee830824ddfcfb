import { type BaseImageInput, InputError } from 'board-access';
import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const image: BaseImageInput = {
	action: 'flash',
	boardType: 'esp32-s3',
	name: 'Bootloader',
	description: 'Second stage',
	url: 'https://images.example.com/boot.bin',
	flashOffset: '0x0',
	position: 0,
	enabled: true,
};

const wire = {
	action: 'flash',
	board_type: 'esp32-s3',
	name: 'Bootloader',
	description: 'Second stage',
	url: 'https://images.example.com/boot.bin',
	flash_offset: '0x0',
	position: 0,
	enabled: true,
};

const wire2 = { ...wire, id: 'img_2' };

describe('managing base images', () => {
	const path = '/v1/admin/base-images';

	it('lists all of them, or those of one board type', async () => {
		service().get(path).query({ board_type: 'esp32-s3', limit: '5' }).reply(200, [wire2]);
		const query = { boardType: 'esp32-s3', pageSize: 5 };
		expect(await createClient().admin.baseImages.list(query)).toMatchObject([
			{ id: 'img_2', boardType: 'esp32-s3' },
		]);
	});

	it('gets, changes and deletes one', async () => {
		const { baseImages } = createClient().admin;
		service().get(`${path}/img_2`).reply(200, wire2);
		expect(await baseImages.get('img_2')).toMatchObject({ flashOffset: '0x0' });
		service()
			.patch(`${path}/img_2`, { enabled: false, flash_offset: '0x10' })
			.reply(200, { ...wire2, enabled: false });
		const changes = { enabled: false, flashOffset: '0x10', url: null };
		expect(await baseImages.update('img_2', changes)).toMatchObject({ enabled: false });
		service().delete(`${path}/img_2`).reply(204);
		expect(await baseImages.delete('img_2')).toBeUndefined();
		service().delete(`${path}/img_2`).reply(200, wire2);
		expect(await baseImages.delete('img_2')).toBeUndefined();
	});

	it.each(['', 'a/b', '..', ' '])('rejects the id %j before anything is sent', async (id) => {
		const { baseImages } = createClient().admin;
		for (const work of [baseImages.get(id), baseImages.update(id, {}), baseImages.delete(id)]) {
			expect(await errorOf(work)).toMatchObject({ issues: [{ path: 'id' }] });
		}
	});
});

describe('creating a base image', () => {
	it('sends every field under its name on the wire and reads the record', async () => {
		const answered = { ...wire, id: 'img_1', created_at: '2026-01-02T03:04:05.678Z' };
		service().post('/v1/admin/base-images', wire).reply(201, answered);
		expect(await createClient().admin.baseImages.create(image)).toEqual({
			...image,
			id: 'img_1',
			createdAt: answered.created_at,
		});
	});

	it.each(['flash', 'erase'] as const)(
		'accepts the action %s without other fields',
		async (action) => {
			service().post('/v1/admin/base-images', { action }).reply(201, { id: 'img_1' });
			expect(await createClient().admin.baseImages.create({ action })).toEqual({ id: 'img_1' });
		},
	);

	it.each(['Flash', 'erase ', 'format', '', null, undefined])(
		'refuses the action %j before anything is sent',
		async (action) => {
			const error = await errorOf(
				createClient().admin.baseImages.create({ ...image, action: action as never }),
			);
			expect(error).toBeInstanceOf(InputError);
			expect(error).toHaveProperty('message', "action: must be 'flash' or 'erase'");
		},
	);

	it('accepts a returned record, and omits null', async () => {
		const record = { id: 'img_1', action: 'erase' as const, url: null, createdAt: null };
		service().post('/v1/admin/base-images', { id: 'img_1', action: 'erase' }).reply(201, wire2);
		expect(await createClient().admin.baseImages.create(record)).toMatchObject({ id: 'img_2' });
	});

	it('names every field of a wrong type at once', async () => {
		const wrong = { ...image, name: 1, enabled: 'yes', position: '0', flashOffset: 4096 } as never;
		expect(await errorOf(createClient().admin.baseImages.create(wrong))).toMatchObject({
			issues: [
				{ path: 'name', message: 'must be of type string' },
				{ path: 'flashOffset', message: 'must be of type string' },
				{ path: 'position', message: 'must be of type number' },
				{ path: 'enabled', message: 'must be of type boolean' },
			],
		});
	});

	it('leaves rules that the specification does not define to the service', async () => {
		const open = { action: 'flash', url: 'relative.bin', flash_offset: '4 KiB', new_field: 1 };
		service().post('/v1/admin/base-images', open).reply(201, { id: 'img_1' });
		await createClient().admin.baseImages.create({
			action: 'flash',
			url: 'relative.bin',
			flashOffset: '4 KiB',
			...({ newField: 1 } as object),
		});
	});
});
