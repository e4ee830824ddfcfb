// The leases of the account.
import * as z from 'zod/mini';
import { createListing } from '../http/list.ts';
import type { RequestFunction, Transport } from '../http/request.ts';
import type { WatchOptions } from '../http/watch.ts';
import { listQuery, textOrList } from '../records/records.ts';
import { readLease } from './records.ts';
import type { LeaseChange, LeaseQuery, LeaseRecord, Leases } from './types.ts';

const list = { path: '/v1/leases', read: readLease, isPatient: true };

const load = async () => await import('../later.ts');

export function createLeases(transport: Transport): Leases {
	return {
		create: async (lease, options) => await (await load()).createLease(transport, lease, options),
		get: async (id, options) => await (await load()).getLease(transport, id, options),
		attach: async (id, options) =>
			await (await load()).getLease(transport, id, options, { renew: true }),
		list: (query, options) =>
			createListing(transport.request, () => ({ ...list, query: wireQuery(query), options })),
		watch: (query, options) => watchLeases(transport.request, query, options),
	};
}

async function* watchLeases(
	request: RequestFunction,
	query: LeaseQuery | undefined,
	options?: WatchOptions,
): AsyncGenerator<LeaseChange> {
	// Older leases have ended, so all changes are on the first page.
	const newest = { ...list, query: wireQuery({ ...query, pageSize: 200 }), isShort: true, options };
	const { watchChanges } = await load();
	yield* watchChanges<LeaseRecord, LeaseChange>(request, newest, 'lease');
}

function wireQuery(query: LeaseQuery | undefined) {
	return listQuery({ status: textOrList, shared: z.boolean() }, query);
}
