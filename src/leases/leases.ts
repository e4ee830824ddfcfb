// The leases of the account.
import * as z from 'zod/mini';
import { createListing } from '../http/list.ts';
import type { Transport } from '../http/request.ts';
import { listQuery } from '../records/records.ts';
import { readLease } from './records.ts';
import type { Leases } from './types.ts';

// With the first lease, so that programs without one do not read this code.
const load = async () => await import('./lease.ts');

export function createLeases(transport: Transport): Leases {
	return {
		create: async (lease, options = {}) =>
			await (await load()).createLease(transport, lease, options),
		get: async (id, options) => await (await load()).getLease(transport, id, options),
		attach: async (id, options) =>
			await (await load()).getLease(transport, id, { renew: true, ...options }),
		list: (query, options) =>
			createListing(transport.request, () => ({
				path: '/v1/leases',
				query: listQuery({ status: z.string() }, query),
				read: readLease,
				options,
			})),
	};
}
