// The leases of the account.
import * as z from 'zod/mini';
import { createListing } from '../http/list.ts';
import type { RequestFunction, Transport } from '../http/request.ts';
import { type WatchOptions, watchChanges } from '../http/watch.ts';
import { listQuery, textOrList } from '../records/records.ts';
import { readLease } from './records.ts';
import type { LeaseChange, LeaseQuery, LeaseRecord, Leases } from './types.ts';

const list = { path: '/v1/leases', read: readLease, isPatient: true };

// With the first lease, so that programs without one do not read this code.
const load = async () => await import('./lease.ts');

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
	// Most of a long list has ended, so its first page has what changes.
	const newest = { ...list, query: wireQuery({ ...query, pageSize: 200 }), isShort: true, options };
	yield* watchChanges<LeaseRecord, LeaseChange>(request, newest, 'lease');
}

function wireQuery(query: LeaseQuery | undefined) {
	return listQuery({ status: textOrList, shared: z.boolean() }, query);
}
