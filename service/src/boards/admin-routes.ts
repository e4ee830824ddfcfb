// /v1/admin/boards: boards for administrators.
import { boardInput, boardUpdate, maintenanceInput } from 'board-access-contract';
import { authenticateAdmin } from '../http/authenticate.ts';
import type { ServiceApp, ServiceContext } from '../http/environment.ts';
import { once, requestOf } from '../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../http/read.ts';
import { afterChange, respond, respondOnce } from '../http/respond.ts';
import { agentChange, announceLease } from '../leases/changes.ts';
import { grantSoon } from '../leases/queue/grant.ts';
import type { Parts } from '../parts.ts';
import { createBoard, retireBoard, setMaintenance, updateBoard } from './change.ts';
import { findBoard, noSuchBoard } from './store.ts';

export function adminBoardRoutes(app: ServiceApp, needs: Parts) {
	const { database, authenticate, wake } = needs;
	const path = '/v1/admin/boards';

	const admin = async (c: ServiceContext) => {
		const { accountId } = await authenticateAdmin(c, authenticate);
		readQuery(c, noQuery);
		return accountId;
	};

	const existing = async (accountId: string, id: string, db = database.query) => {
		const board = await findBoard(db, { accountId, id });
		if (!board) throw noSuchBoard();
		return board;
	};

	app.post(path, async (c) => {
		const accountId = await admin(c);
		const input = await readBody(c, boardInput);
		const created = await once(database, {
			...requestOf(c, { accountId, input }),
			create: (db) => createBoard(db, input),
			replay: (db, id) => existing(accountId, id, db),
		});
		await grantSoon(needs);
		return respondOnce(c, created);
	});

	app.get(`${path}/:id`, async (c) => {
		const accountId = await admin(c);
		return respond(c, await existing(accountId, c.req.param('id')));
	});

	app.patch(`${path}/:id`, async (c) => {
		const accountId = await admin(c);
		const id = c.req.param('id');
		await updateBoard(database.query, id, await readBody(c, boardUpdate));
		await grantSoon(needs);
		return respond(c, await afterChange(existing(accountId, id)));
	});

	app.delete(`${path}/:id`, async (c) => {
		await admin(c);
		const { board, agentId, ended } = await retireBoard(database.query, c.req.param('id'));
		if (agentId) wake.announce(agentChange(agentId));
		for (const lease of ended) announceLease(wake, lease);
		return respond(c, board);
	});

	app.post(`${path}/:id/maintenance`, async (c) => {
		const accountId = await admin(c);
		const id = c.req.param('id');
		await setMaintenance(database.query, id, await readBody(c, maintenanceInput));
		await grantSoon(needs);
		return respond(c, await afterChange(existing(accountId, id)));
	});
}
