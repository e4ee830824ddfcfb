// /v1/leases/{lease_id}/shares: with whom the holder shares a lease.
import { leaseShareInput, leaseShareRemoval } from 'board-access-contract';
import {
	type Access,
	type Accessible,
	accessTo,
	type Caller,
	type Core,
	leaveLease,
	recordDaily,
	shareLease,
	sharesOf,
	unshareLease,
} from 'board-access-core';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { claimOf } from '../../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../../http/read.ts';
import { respond, respondOnce } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';

export function leaseShareRoutes(app: ServiceApp, needs: Parts) {
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

/**
 * What is done with the lease afterwards is done as its holder. That an administrator watches is recorded. A request that waits, and a stream, ends once the
 * lease is no longer shared, as it does when its credential is revoked.
 */
export async function authorizeLease(
	c: ServiceContext,
	{ database: { query: db } }: Pick<Core, 'database'>,
	caller: Pick<Caller, 'accountId' | 'isAdmin'>,
	needed: Access,
): Promise<Accessible> {
	const { accountId, isAdmin = false } = caller;
	const lookup = { accountId, isAdmin, id: c.req.param('id') ?? '' };
	const found = await accessTo(db, lookup, needed);
	if (found.watches) {
		const { owned } = found;
		await recordDaily(db, {
			kind: 'lease.viewed',
			accountId: owned.accountId,
			subjectId: owned.id,
		});
	}
	const confirmCaller = c.get('confirmCaller');
	if (found.access !== 'hold') {
		c.set('confirmCaller', async () => {
			await confirmCaller?.();
			await accessTo(db, lookup, needed);
		});
	}
	return found;
}
