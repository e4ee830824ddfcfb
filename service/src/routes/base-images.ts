// /v1/admin/base-images: the images that prepare the boards of a type.
import {
	baseImageInput,
	baseImageQuery,
	baseImageSet,
	baseImageUpdate,
} from 'board-access-contract';
import {
	createBaseImage,
	deleteBaseImage,
	pageOfBaseImages,
	readBaseImage,
	replaceBaseImages,
	updateBaseImage,
} from 'board-access-core';
import { authenticateAdmin, readAdminRequest } from 'board-access-http/authenticate';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { readBody, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import type { Services } from '../services.ts';

export function baseImageRoutes(app: ServiceApp, core: Services) {
	const { database, authenticate } = core;
	const path = '/v1/admin/base-images';
	const admin = (c: ServiceContext) => readAdminRequest(c, authenticate);

	app.get(path, async (c) => {
		await authenticateAdmin(c, authenticate);
		const query = readQuery(c, baseImageQuery);
		return respond(c, await pageOfBaseImages(database.query, query.board_type, query));
	});

	app.post(path, async (c) => {
		const { accountId } = await admin(c);
		const input = await readBody(c, baseImageInput);
		return respondOnce(c, await createBaseImage(core, input, claimOf(c, { accountId, input })));
	});

	app.put(path, async (c) => {
		await admin(c);
		return respond(c, await replaceBaseImages(core, await readBody(c, baseImageSet)));
	});

	app.get(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		return respond(c, await readBaseImage(core, id));
	});

	app.patch(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		return respond(c, await updateBaseImage(core, id, await readBody(c, baseImageUpdate)));
	});

	app.delete(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		return respond(c, await deleteBaseImage(core, id));
	});
}
