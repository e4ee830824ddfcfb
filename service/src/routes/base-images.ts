// /v1/admin/base-images: the images that prepare the boards of a type.
import {
	baseImageInput,
	baseImageQuery,
	baseImageSet,
	baseImageUpdate,
} from 'board-access-contract';
import {
	ApiError,
	baseImageList,
	createBaseImage,
	deleteBaseImage,
	findBaseImage,
	inTransaction,
	pageOfBaseImages,
	pageRequest,
	planBaseImages,
	replaceBaseImages,
	updateBaseImage,
	validate,
} from 'board-access-core';
import { authenticateAdmin, readAdminRequest } from '../http/authenticate.ts';
import type { ServiceApp, ServiceContext } from '../http/environment.ts';
import { once, requestOf } from '../http/idempotency.ts';
import { readBody, readQuery } from '../http/read.ts';
import { respond, respondOnce } from '../http/respond.ts';
import type { Parts } from '../parts.ts';

export function baseImageRoutes(app: ServiceApp, { database, authenticate }: Parts) {
	const path = '/v1/admin/base-images';
	const admin = (c: ServiceContext) => readAdminRequest(c, authenticate);

	app.get(path, async (c) => {
		await authenticateAdmin(c, authenticate);
		const query = readQuery(c, baseImageQuery);
		const boardType = query.board_type;
		const page = pageRequest(baseImageList(boardType), query);
		return respond(c, await pageOfBaseImages(database.query, { boardType, page }));
	});

	app.post(path, async (c) => {
		const { accountId } = await admin(c);
		const input = await readBody(c, baseImageInput);
		const created = await once(database, {
			...requestOf(c, { accountId, input }),
			create: (db) => createBaseImage(db, input),
			replay: async (db, id) =>
				found(await findBaseImage(db, id), 'was created, and deleted since'),
		});
		return respondOnce(c, created);
	});

	app.put(path, async (c) => {
		await admin(c);
		const { board_type, images, dry_run } = await readBody(c, baseImageSet);
		const wanted = images.map((image) => ({ ...image, board_type }));
		const change = dry_run ? planBaseImages : replaceBaseImages;
		const plan = await inTransaction(database.query, (db) => change(db, board_type, wanted));
		return respond(c, plan);
	});

	app.get(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		return respond(c, found(await findBaseImage(database.query, id)));
	});

	app.patch(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		const update = await readBody(c, baseImageUpdate);
		const changed = await inTransaction(database.query, async (db) => {
			// What becomes an erase has no image any more.
			const rest = update.action === 'erase' ? { url: '', sha256: '', flash_offset: '0x0' } : {};
			const image = { ...found(await findBaseImage(db, id)), ...rest, ...update };
			return updateBaseImage(db, id, validate(baseImageInput, image));
		});
		return respond(c, found(changed));
	});

	app.delete(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		return respond(c, found(await deleteBaseImage(database.query, id)));
	});
}

function found<Image>(image: Image | undefined, reason = 'does not exist') {
	if (image) return image;
	throw new ApiError('base_image_not_found', `This base image ${reason}.`);
}
