// Whether a caller may do with a lease what a request is about to do.
import {
	type Accessible,
	accessTo,
	type Caller,
	type Core,
	isAgentConnected,
	openLease,
} from 'board-access-core';
import type { ServiceContext } from './environment.ts';

/** Says to those who wait for the board whether its agent is connected. */
export async function agentHeaders(
	{ database }: Pick<Core, 'database'>,
	lease: Accessible['lease'],
): Promise<Record<string, string>> {
	const isConnected = await isAgentConnected(database.query, lease);
	return isConnected === undefined ? {} : { 'x-agent-connected': String(isConnected) };
}

/**
 * What follows is done in the name of the holder. Requests that wait and streams end once the lease is no longer
 * shared, as they do when their credential is revoked.
 */
export async function authorizeLease(
	c: ServiceContext,
	{ database: { query: db } }: Pick<Core, 'database'>,
	{ accountId, isAdmin = false }: Caller,
	needed: Accessible['access'],
) {
	const asking = { accountId, isAdmin, id: c.req.param('id') ?? '' };
	const found = await openLease(db, asking, needed);
	const confirmCaller = c.get('confirmCaller');
	if (found.access !== 'hold') {
		c.set('confirmCaller', async () => {
			await confirmCaller?.();
			await accessTo(db, asking, needed);
		});
	}
	return found;
}
