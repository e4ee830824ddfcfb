// What administrators do with base images.
import { baseImageInput } from 'board-access-contract';
import { type Claim, once } from '../claims.ts';
import type { Core } from '../core.ts';
import { lockTable } from '../database/locks.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Command } from '../gate.ts';
import { validate } from '../validation.ts';
import {
	type BaseImageRecord,
	changeImage,
	deleteImage,
	findImage,
	listBaseImages,
	type NewBaseImage,
	storeImage,
} from './store.ts';

/** Without a position, the image comes last in its board type. */
export function createBaseImage(core: Core, input: NewBaseImage, claim?: Claim) {
	return once(core, claim, {
		create: (db) => storeImage(db, input),
		replay: (db, id) => findImage(db, id, 'was created, and deleted since'),
	});
}

export const updateBaseImage: Command<'updateBaseImage'> = (core, _caller, { ids, input }) =>
	inTransaction(core.database.query, async (db) => {
		await lockTable(db, 'base_images');
		// An erase has no file.
		const rest = input.action === 'erase' ? { url: '', sha256: '', flash_offset: '0x0' } : {};
		const image = { ...(await findImage(db, ids.id)), ...rest, ...input };
		return changeImage(db, ids.id, validate(baseImageInput, image));
	});

/** Replaces the images of a board type, in this order, or returns what that would change. */
export const replaceBaseImages: Command<'replaceBaseImages'> = (core, _caller, { input }) => {
	const { board_type, images, dry_run } = input;
	const wanted = images.map((image) => ({ ...image, board_type }));
	const change = dry_run ? planBaseImages : replaceAll;
	return inTransaction(core.database.query, (db) => change(db, board_type, wanted));
};

/** An image that is not stored yet has neither of the two. */
type AddedImage = Omit<BaseImageRecord, 'id' | 'created_at'>;

interface Plan {
	added: AddedImage[];
	changed: { before: BaseImageRecord; after: BaseImageRecord }[];
	removed: BaseImageRecord[];
	unchanged: number;
}

async function replaceAll(db: Db, boardType: string, images: readonly NewBaseImage[]) {
	await lockTable(db, 'base_images');
	const plan = await planBaseImages(db, boardType, images);
	for (const { id } of plan.removed) await deleteImage(db, id);
	for (const { after } of plan.changed) await changeImage(db, after.id, after);
	const added: BaseImageRecord[] = [];
	for (const image of plan.added) added.push(await storeImage(db, image));
	return { ...plan, added };
}

/** An image is the same as before if it has the same name and action. */
async function planBaseImages(
	db: Db,
	boardType: string,
	images: readonly NewBaseImage[],
): Promise<Plan> {
	const present = await listBaseImages(db, boardType);
	const plan: Plan = { added: [], changed: [], removed: present, unchanged: 0 };
	for (const [index, image] of images.entries()) {
		const { position = index, sha256, id: _, created_at, ...fields } = image;
		const wanted = { ...fields, position, ...(sha256 && { sha256 }) };
		const before = plan.removed.find(
			({ name, action }) => name === wanted.name && action === wanted.action,
		);
		if (!before) {
			plan.added.push(wanted);
			continue;
		}
		plan.removed = plan.removed.filter((each) => each !== before);
		const after = { id: before.id, created_at: before.created_at, ...wanted };
		if (differs(before, after)) plan.changed.push({ before, after });
		else plan.unchanged += 1;
	}
	return plan;
}

function differs(before: BaseImageRecord, after: BaseImageRecord) {
	const fields = ['description', 'url', 'flash_offset', 'position', 'enabled', 'sha256'] as const;
	return fields.some((field) => before[field] !== after[field]);
}
