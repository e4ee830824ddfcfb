// Replaces all base images of a board type: first a plan, then its execution.
import { lockTable } from '../database/locks.ts';
import type { Db } from '../database/schema.ts';
import {
	type BaseImageRecord,
	changeImage,
	deleteImage,
	listBaseImages,
	type NewBaseImage,
	storeImage,
} from './store.ts';

/** An image that is not stored yet has neither of the two. */
type AddedImage = Omit<BaseImageRecord, 'id' | 'created_at'>;

interface Plan {
	added: AddedImage[];
	changed: { before: BaseImageRecord; after: BaseImageRecord }[];
	removed: BaseImageRecord[];
	unchanged: number;
}

export async function replaceAll(db: Db, boardType: string, images: readonly NewBaseImage[]) {
	await lockTable(db, 'base_images');
	const plan = await planBaseImages(db, boardType, images);
	for (const { id } of plan.removed) await deleteImage(db, id);
	for (const { after } of plan.changed) await changeImage(db, after.id, after);
	const added: BaseImageRecord[] = [];
	for (const image of plan.added) added.push(await storeImage(db, image));
	return { ...plan, added };
}

/** An image is the same as before if it has the same name and action. */
export async function planBaseImages(
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
