// Base images in the database, ordered by position.
import { type baseImageInput, maxPosition } from 'board-access-contract';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import { lockTable } from '../database/locks.ts';
import { type PageQuery, readPage } from '../database/pagination.ts';
import type { BaseImageRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { newId } from '../identifier.ts';
import { sha256Of } from './download.ts';

export type NewBaseImage = z.output<typeof baseImageInput>;

export type BaseImageRecord = ReturnType<typeof baseImageRecord>;

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
