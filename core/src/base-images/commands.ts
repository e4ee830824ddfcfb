// What administrators do with base images.
import { baseImageInput, type baseImageSet, type baseImageUpdate } from 'board-access-contract';
import type * as z from 'zod/mini';
import { type Claim, once } from '../claims.ts';
import type { Core } from '../core.ts';
import { lockTable } from '../database/locks.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { validate } from '../validation.ts';
import { planBaseImages, replaceAll } from './plan.ts';
import {
	type BaseImageRecord,
	changeImage,
	deleteImage,
	findImage,
	type NewBaseImage,
	storeImage,
} from './store.ts';

export async function readBaseImage(core: Core, id: string) {
	return existing(await findImage(core.database.query, id));
}

/** Without a position, the image comes last in its board type. */
export function createBaseImage(core: Core, input: NewBaseImage, claim?: Claim) {
	return once(core, claim, {
		create: (db) => storeImage(db, input),
		replay: async (db, id) => existing(await findImage(db, id), 'was created, and deleted since'),
	});
}

export function updateBaseImage(core: Core, id: string, update: z.output<typeof baseImageUpdate>) {
	return inTransaction(core.database.query, async (db) => {
		await lockTable(db, 'base_images');
		// An erase has no file.
		const rest = update.action === 'erase' ? { url: '', sha256: '', flash_offset: '0x0' } : {};
		const image = { ...existing(await findImage(db, id)), ...rest, ...update };
		return existing(await changeImage(db, id, validate(baseImageInput, image)));
	});
}

export async function deleteBaseImage(core: Core, id: string) {
	return existing(await deleteImage(core.database.query, id));
}

/** Replaces the images of a board type, in this order, or returns what that would change. */
export function replaceBaseImages(
	core: Core,
	{ board_type, images, dry_run }: z.output<typeof baseImageSet>,
) {
	const wanted = images.map((image) => ({ ...image, board_type }));
	const change = dry_run ? planBaseImages : replaceAll;
	return inTransaction(core.database.query, (db) => change(db, board_type, wanted));
}

function existing(image: BaseImageRecord | undefined, reason = 'does not exist') {
	if (image) return image;
	throw new ApiError('base_image_not_found', `This base image ${reason}.`);
}
