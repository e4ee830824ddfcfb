// /v1/boards: the boards that any account may see.
import { setTimeout as delay } from 'node:timers/promises';
import { boardImport, boardInput, boardUpdate, maintenanceInput } from 'board-access-contract';
import {
	createBoard,
	importGiven,
	readBoard,
	readBoardsRevision,
	retireBoard,
	setMaintenance,
	updateBoard,
} from 'board-access-core';
import { readAdminRequest } from 'board-access-http/authenticate';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import { respondWithPage } from 'board-access-http/tagged-page';
import type { Services } from '../services.ts';
import { createPageReader } from './board-pages.ts';

/** Room for as many boards as an import may have. */
const maxImportedBytes = 2 * 1024 * 1024;

/** How often the revision is read while requests wait for a change. */
const lookEvery = 250;

export function boardRoutes(
	app: ServiceApp,
	{ database, authenticate, limits, stopping }: Services,
) {
	const readPage = createPageReader(database, limits);

	let look: Promise<number> | undefined;
	/** The revision after a moment, read once for all who wait for it. */
	const nextRevision = () => {
		look ??= delay(lookEvery)
			.then(() => readBoardsRevision(database.query))
			.finally(() => (look = undefined));
		return look;
	};

	app.get('/v1/boards', async (c) => {
		const { accountId, boardsRevision, wait } = await authenticate(c);
		return respondWithPage(c, {
			revision: boardsRevision ?? (await readBoardsRevision(database.query)),
			nextRevision,
			read: (revision, cursor) => readPage(c, { accountId, revision, cursor }),
			wait,
			stopping,
		});
	});

	app.get('/v1/boards/:id', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const owned = { accountId, id: c.req.param('id') };
		return respond(c, await readBoard(database.query, owned));
	});
}

/** /v1/admin/boards: boards for administrators. */
export function adminBoardRoutes(app: ServiceApp, core: Services) {
	const { database, authenticate } = core;
	const path = '/v1/admin/boards';
	const admin = (c: ServiceContext) => readAdminRequest(c, authenticate);

	app.post(path, async (c) => {
		const caller = await admin(c);
		const input = await readBody(c, boardInput);
		const claim = claimOf(c, { ...caller, input });
		return respondOnce(c, await createBoard(core, caller, input, claim));
	});

	app.put(path, async (c) => {
		await admin(c);
		const { boards } = await readBody(c, boardImport, { most: maxImportedBytes });
		return respond(c, await importGiven(core, boards));
	});

	app.get(`${path}/:id`, async (c) => {
		return respond(c, await readBoard(database.query, await admin(c)));
	});

	app.patch(`${path}/:id`, async (c) => {
		const owned = await admin(c);
		return respond(c, await updateBoard(core, owned, await readBody(c, boardUpdate)));
	});

	app.delete(`${path}/:id`, async (c) => {
		const { id } = await admin(c);
		return respond(c, await retireBoard(core, id));
	});

	app.post(`${path}/:id/maintenance`, async (c) => {
		const owned = await admin(c);
		return respond(c, await setMaintenance(core, owned, await readBody(c, maintenanceInput)));
	});
}
