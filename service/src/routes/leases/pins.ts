// /v1/leases/{lease_id}/pins: what drives the pins of a board from outside.
import { pinInput } from 'board-access-contract';
import { drivePin } from 'board-access-core';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readQuery } from 'board-access-http/read';
import { respondOnce } from 'board-access-http/respond';
import type { Services } from '../../services.ts';

export function leasePinRoutes(app: ServiceApp, needs: Services) {
	const { authenticate, limits } = needs;
	app.post('/v1/leases/:id/pins', async (c) => {
		// As the input of the console: a slider sends many.
		const caller = await authenticate(c, { counted: false });
		const { accountId } = caller;
		readQuery(c, noQuery);
		await limits.consoleInput(accountId);
		const input = await readBody(c, pinInput);
		const claim = claimOf(c, { accountId, input });
		const driven = await drivePin(needs, caller, { leaseId: c.req.param('id'), input }, claim);
		return respondOnce(c, driven, 200);
	});
}
