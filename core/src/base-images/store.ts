// Base images, ordered by position, and what administrators do with them.
import { baseImageInput, maxPosition } from 'board-access-contract';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { type Claim, once } from '../claims.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import { lockTable } from '../database/locks.ts';
import { type PageQuery, readPage } from '../database/pagination.ts';
import type { BaseImageRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import type { Command } from '../gate.ts';
import { newId } from '../identifier.ts';
import { validate } from '../validation.ts';
import { sha256Of } from './download.ts';

type NewBaseImage = z.output<typeof baseImageInput>;

type BaseImageRecord = ReturnType<typeof baseImageRecord>;

export function storeImage(db: Db, input: NewBaseImage) {
	return inTransaction(db, async (db) => {
		await lockTable(db, 'base_images');
		const position = input.position ?? (await nextPosition(db, input.board_type));
		const row = await db
			.insertInto('base_images')
			.values({ ...columnsOf(input), id: newId('img'), position, created_at: timeIn(db) })
			.returningAll()
			.executeTakeFirstOrThrow();
		return recordImage(db, 'base_image.created', row);
	});
}

export async function findImage(db: Db, id: string, reason?: string) {
	const image = db.selectFrom('base_images').selectAll().where('id', '=', id);
	return baseImageRecord(await image.executeTakeFirstOrThrow(noSuchImage(reason)));
}

function noSuchImage(reason = 'does not exist') {
	return () => new ApiError('base_image_not_found', `This base image ${reason}.`);
}

/** The enabled images of a type in order, each with its downloaded file. */
export function usableImages(db: Db, boardType: string) {
	return db
		.selectFrom('base_images')
		.select(['action', 'name', 'url', 'flash_offset'])
		.select(({ selectFrom }) =>
			selectFrom('files')
				.select('files.id')
				.whereRef('files.url', '=', 'base_images.url')
				.limit(1)
				.as('file_id'),
		)
		.where('board_type', '=', boardType)
		.where('enabled', '=', 1)
		.orderBy('position')
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

export function changeImage(db: Db, id: string, input: NewBaseImage) {
	return inTransaction(db, async (db) => {
		const changed = db.updateTable('base_images').set(columnsOf(input)).where('id', '=', id);
		const row = await changed.returningAll().executeTakeFirstOrThrow(noSuchImage());
		return recordImage(db, 'base_image.changed', row);
	});
}

/** The checksum is stored in the address, so that another checksum causes another download. */
function columnsOf({ id: _, created_at, url, sha256, enabled, ...fields }: NewBaseImage) {
	const address = sha256 ? `${url}#sha256=${sha256}` : url;
	return { ...fields, url: address, enabled: enabled ? 1 : 0 };
}

export function deleteImage(db: Db, id: string) {
	return inTransaction(db, async (db) => {
		const deleted = db.deleteFrom('base_images').where('id', '=', id).returningAll();
		const row = await deleted.executeTakeFirstOrThrow(noSuchImage());
		return recordImage(db, 'base_image.deleted', row);
	});
}

// Without the address of the image, which may contain a token.
async function recordImage(
	db: Db,
	kind: 'base_image.created' | 'base_image.changed' | 'base_image.deleted',
	row: BaseImageRow,
) {
	const image = baseImageRecord(row);
	const { id, name, board_type, action, enabled, position } = image;
	const details = { name, board_type, action, enabled, position };
	await record(db, { kind, subjectId: id, details });
	return image;
}

const order = ['board_type', 'position', 'created_at', 'id'] as const;

export async function listBaseImages(db: Db, boardType?: string) {
	let query = selectImages(db, boardType);
	for (const column of order) query = query.orderBy(column);
	return (await query.execute()).map(baseImageRecord);
}

export async function pageOfBaseImages(db: Db, boardType: string | undefined, request: PageQuery) {
	const name = JSON.stringify(['base images', boardType]);
	const list = { name, by: order, direction: 'asc' } as const;
	const page = await readPage(selectImages(db, boardType), list, request);
	return { ...page, data: page.data.map(baseImageRecord) };
}

function selectImages(db: Db, boardType: string | undefined) {
	const images = db.selectFrom('base_images').selectAll();
	return boardType === undefined ? images : images.where('board_type', '=', boardType);
}

/** One after the highest position of the type, or the lowest free one where none is higher. */
async function nextPosition(db: Db, boardType: string) {
	const { highest } = await db
		.selectFrom('base_images')
		.select(({ fn }) => fn.max('position').as('highest'))
		.where('board_type', '=', boardType)
		.where('position', '<', maxPosition)
		.executeTakeFirstOrThrow();
	// An aggregate of no rows is null.
	return ((highest as number | null) ?? -1) + 1;
}

function baseImageRecord(row: BaseImageRow) {
	const sha256 = sha256Of(row.url);
	const url = row.url.replace(`#sha256=${sha256}`, '');
	return { ...row, url, enabled: row.enabled === 1, ...(sha256 && { sha256 }) };
}

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
