// /v1/admin/boards: what administrators do with boards.
import { maintenanceInput } from 'board-access-contract';
import { requireAdmin } from '../http/authenticate.ts';
import type { ServiceApp } from '../http/environment.ts';
import { noQuery, readBody, readQuery } from '../http/read.ts';
import { answer } from '../http/respond.ts';
import { grantSoon } from '../leases/grant.ts';
import type { Parts } from '../parts.ts';
import { setMaintenance } from './maintenance.ts';
import { findBoard } from './store.ts';

export function adminBoardRoutes(
	app: ServiceApp,
	needs: Pick<Parts, 'database' | 'authenticate' | 'wake' | 'log'>,
) {
	const { database, authenticate } = needs;

	app.post('/v1/admin/boards/:id/maintenance', async (c) => {
		const caller = await authenticate(c);
		requireAdmin(caller);
		readQuery(c, noQuery);
		const id = c.req.param('id');
		await setMaintenance(database.query, id, await readBody(c, maintenanceInput));
		await grantSoon(needs);
		return answer(c, await findBoard(database.query, { accountId: caller.accountId, id }));
	});
}
