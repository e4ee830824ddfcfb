// The leases of the account.
import * as z from 'zod/mini';
import { createListing } from '../http/list.ts';
import type { Transport } from '../http/request.ts';
import { listQuery } from '../records/records.ts';
import { createLease, getLease } from './lease.ts';
import { readLease } from './records.ts';
import type { Leases } from './types.ts';

export function createLeases(transport: Transport): Leases {
	return {
		create: async (lease, options = {}) => await createLease(transport, lease, options),
		get: async (id, options) => await getLease(transport, id, options),
		attach: async (id, options) => await getLease(transport, id, { renew: true, ...options }),
		list: (query, options) =>
			createListing(transport.request, () => ({
				path: '/v1/leases',
				query: listQuery({ status: z.string() }, query),
				read: readLease,
				options,
			})),
	};
}
