import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findImage, listBaseImages, storeImage } from '../../src/base-images/store.ts';
import type { Database } from '../../src/database/database.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

const erase = {
	action: 'erase',
	name: 'Erase',
	description: '',
	url: '',
	flash_offset: '0x0',
	enabled: true,
} as const;

describe.each(databaseKinds)('base images on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());

	test('without a position, an image is added after the last one of its board type', async () => {
		const create = (board_type: string, position?: number) =>
			storeImage(database.query, { ...erase, board_type, position });
		expect((await create('a')).position).toBe(0);
		expect((await create('a', 7)).position).toBe(7);
		expect((await create('a')).position).toBe(8);
		expect((await create('b')).position).toBe(0);
	});

	test('an image can be added after the highest possible position', async () => {
		const create = (position?: number) =>
			storeImage(database.query, { ...erase, board_type: 'z', position });
		await create(2_147_483_647);
		expect((await create()).position).toBe(0);
		await create(2_147_483_646);
		expect((await create()).position).toBe(2_147_483_647);
		await database.query.deleteFrom('base_images').where('board_type', '=', 'z').execute();
	});

	test('a base image is returned as it was created', async () => {
		const made = await storeImage(database.query, {
			...erase,
			board_type: 'c',
			enabled: false,
			flash_offset: '4096',
		});
		expect(made).toMatchObject({ enabled: false, flash_offset: '4096' });
		expect(await findImage(database.query, made.id)).toEqual(made);
	});

	test('the list is ordered by board type and position', async () => {
		const listed = await listBaseImages(database.query);
		expect(listed.map(({ board_type, position }) => `${board_type}${position}`)).toEqual([
			'a0',
			'a7',
			'a8',
			'b0',
			'c0',
		]);
	});
});
