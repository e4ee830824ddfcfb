// What administrators do with base images.
import { baseImageInput, type baseImageSet, type baseImageUpdate } from 'board-access-contract';
import type * as z from 'zod/mini';
import { type Claim, once } from '../claims.ts';
import type { Core } from '../core.ts';
import { lockTable } from '../database/locks.ts';
import { inTransaction } from '../database/transactions.ts';
import { validate } from '../validation.ts';
import { planBaseImages, replaceAll } from './plan.ts';
import { changeImage, findImage, type NewBaseImage, storeImage } from './store.ts';

/** Without a position, the image comes last in its board type. */
export function createBaseImage(core: Core, input: NewBaseImage, claim?: Claim) {
	return once(core, claim, {
		create: (db) => storeImage(db, input),
		replay: (db, id) => findImage(db, id, 'was created, and deleted since'),
	});
}

export function updateBaseImage(core: Core, id: string, update: z.output<typeof baseImageUpdate>) {
	return inTransaction(core.database.query, async (db) => {
		await lockTable(db, 'base_images');
		// An erase has no file.
		const rest = update.action === 'erase' ? { url: '', sha256: '', flash_offset: '0x0' } : {};
		const image = { ...(await findImage(db, id)), ...rest, ...update };
		return changeImage(db, id, validate(baseImageInput, image));
	});
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
