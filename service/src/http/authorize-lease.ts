// Whether a caller may do with a lease what a request is about to do.
import {
	type Access,
	type Accessible,
	accessTo,
	type Caller,
	type Core,
	isAgentConnected,
	recordDaily,
} from 'board-access-core';
import type { ServiceContext } from './environment.ts';

type Needs = Pick<Core, 'database'>;

/** Says to those who wait for the board whether its agent is connected. */
export async function agentHeaders(
	{ database }: Needs,
	lease: Accessible['lease'],
): Promise<Record<string, string>> {
	const isConnected = await isAgentConnected(database.query, lease);
	return isConnected === undefined ? {} : { 'x-agent-connected': String(isConnected) };
}

/**
 * What is done with the lease afterwards is done as its holder. That an administrator watches is recorded. A request that waits, and a stream, ends once the
 * lease is no longer shared, as it does when its credential is revoked.
 */
export async function authorizeLease(
	c: ServiceContext,
	{ database: { query: db } }: Needs,
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
