// Base images in the database, in the order that their positions give.
import { type baseImageInput, highestPosition } from 'board-access-contract';
import type { Kysely } from 'kysely';
import type * as z from 'zod/mini';
import { newId } from '../database/identifier.ts';
import type { BaseImageRow, Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';

export type NewBaseImage = z.output<typeof baseImageInput>;

/** Adds a base image; without a position it goes after the last of its board type. */
export async function createBaseImage(db: Kysely<Schema>, input: NewBaseImage) {
	const { action, board_type, name, description, url, flash_offset, enabled, position } = input;
	const row = await db
		.insertInto('base_images')
		.values((eb) => ({
			id: newId('img'),
			action,
			board_type,
			name,
			description,
			url,
			flash_offset,
			position:
				position ??
				eb
					.selectFrom('base_images')
					.select(({ fn, val }) => eb(fn.coalesce(fn.max('position'), val(-1)), '+', 1).as('next'))
					.where('board_type', '=', board_type)
					.where('position', '<', highestPosition),
			enabled: enabled ? 1 : 0,
			created_at: now(),
		}))
		.returningAll()
		.executeTakeFirstOrThrow();
	return baseImageRecord(row);
}

export async function findBaseImage(db: Kysely<Schema>, id: string) {
	return baseImageRecord(
		await db.selectFrom('base_images').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
	);
}

/** All base images, board type by board type, each in its order. */
export async function listBaseImages(db: Kysely<Schema>) {
	const rows = await db
		.selectFrom('base_images')
		.selectAll()
		.orderBy('board_type')
		.orderBy('position')
		.orderBy('created_at')
		.orderBy('id')
		.execute();
	return rows.map(baseImageRecord);
}

function baseImageRecord(row: BaseImageRow) {
	return { ...row, enabled: row.enabled === 1 };
}
