// /v1/leases/{lease_id}/shares: with whom the holder shares a lease.
import { leaseShareInput, leaseShareRemoval } from 'board-access-contract';
import {
	type Access,
	type Accessible,
	accessTo,
	announceLease,
	type Caller,
	type Db,
	findShare,
	type LeaseRow,
	leaveLease,
	listShares,
	recordDaily,
	shareLease,
	unshareLease,
} from 'board-access-core';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { changeOf, once } from '../../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../../http/read.ts';
import { respond, respondOnce } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';

export function leaseShareRoutes(app: ServiceApp, { database, authenticate, wake }: Parts) {
	const { query } = database;
	const held = async (c: ServiceContext) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		return authorizeLease(c, query, caller, 'hold');
	};

	app.get('/v1/leases/:id/shares', async (c) => {
		const { lease } = await held(c);
		return respond(c, { data: await listShares(query, lease.id), next_cursor: null });
	});

	// The addresses are in bodies, because logs and traces have paths.
	app.put('/v1/leases/:id/shares', async (c) => {
		const { owned, lease } = await held(c);
		const input = await readBody(c, leaseShareInput);
		const { result, replayed } = await once(database, {
			...changeOf(c, { accountId: owned.accountId, input }),
			create: async (db) => ({ ...owned, share: await shareLease(db, { ...owned, ...input }) }),
			// An attempt that arrives late does not share the lease again.
			replay: async (db) => ({ ...owned, share: await findShare(db, { ...owned, ...input }) }),
		});
		if (!replayed) announceLease(wake, lease);
		return respondOnce(c, { result: result.share, replayed }, 200);
	});

	const afterRemoval = (c: ServiceContext, lease: LeaseRow) => {
		announceLease(wake, lease);
		return new Response(null, { status: 204, headers: { 'x-request-id': c.get('requestId') } });
	};

	app.post('/v1/leases/:id/shares/remove', async (c) => {
		const { owned, lease } = await held(c);
		const input = await readBody(c, leaseShareRemoval);
		await once(database, {
			...changeOf(c, { accountId: owned.accountId, input }),
			create: (db) => unshareLease(db, { ...owned, ...input }),
			replay: async () => owned,
		});
		return afterRemoval(c, lease);
	});

	app.delete('/v1/leases/:id/shares/own', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		return afterRemoval(c, await leaveLease(query, { accountId, id: c.req.param('id') }));
	});
}

/**
 * What is done with the lease afterwards is done as its holder. That an administrator watches is recorded. A request that waits, and a stream, ends once the
 * lease is no longer shared, as it does when its credential is revoked.
 */
export async function authorizeLease(
	c: ServiceContext,
	db: Db,
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
