// /v1/leases/{lease_id}/shares: with whom the holder shares a lease.
import { leaseShareInput, leaseShareRemoval } from 'board-access-contract';
import { leaveLease, shareLease, sharesOf, unshareLease } from 'board-access-core';
import { authorizeLease } from 'board-access-http/authorize-lease';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import type { Services } from '../../services.ts';

export function leaseShareRoutes(app: ServiceApp, needs: Services) {
	const { authenticate } = needs;
	const path = '/v1/leases/:id/shares';
	const read = async (c: ServiceContext) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		return { caller, id: c.req.param('id') ?? '' };
	};
	const done = (c: ServiceContext) =>
		new Response(null, { status: 204, headers: { 'x-request-id': c.get('requestId') } });

	app.get(path, async (c) => {
		const { caller, id } = await read(c);
		return respond(c, { data: await sharesOf(needs, caller, id), next_cursor: null });
	});

	// The addresses are in bodies, because logs and traces have paths.
	app.put(path, async (c) => {
		const { caller, id } = await read(c);
		await authorizeLease(c, needs, caller, 'hold');
		const input = await readBody(c, leaseShareInput);
		const claim = claimOf(c, { accountId: caller.accountId, input });
		return respondOnce(c, await shareLease(needs, caller, { id, ...input }, claim), 200);
	});

	app.post(`${path}/remove`, async (c) => {
		const { caller, id } = await read(c);
		await authorizeLease(c, needs, caller, 'hold');
		const input = await readBody(c, leaseShareRemoval);
		const claim = claimOf(c, { accountId: caller.accountId, input });
		await unshareLease(needs, caller, { id, ...input }, claim);
		return done(c);
	});

	app.delete(`${path}/own`, async (c) => {
		const { caller, id } = await read(c);
		await leaveLease(needs, caller, id);
		return done(c);
	});
}
