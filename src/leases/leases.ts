// The leases of the account, and for admins those of all accounts.
import * as z from 'zod/mini';
import { leaseFields } from '../contract/lease.ts';
import { call } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction, Transport } from '../http/request.ts';
import type { WatchOptions } from '../http/watch.ts';
import { recordReader, textOrList } from '../records/records.ts';
import { readLease } from './records.ts';
import type { AdminLeases, LeaseChange, LeaseQuery, LeaseRecord, Leases } from './types.ts';

const list = {
	route: 'GET /v1/leases',
	filters: { status: textOrList, shared: z.boolean() },
	read: readLease,
	isPatient: true,
} as const;

const load = async () => await import('../later.ts');

export function createLeases(transport: Transport): Leases {
	return {
		create: async (lease, options) => await (await load()).createLease(transport, lease, options),
		createGroup: async (boards, terms, options) =>
			await (await load()).createGroup(transport, boards, terms, options),
		get: async (id, options) => await (await load()).getLease(transport, id, options),
		attach: async (id, options) =>
			await (await load()).getLease(transport, id, options, { renew: true }),
		list: (query, options) => createListing(transport.request, { ...list, query, options }),
		watch: (query, options) => watchLeases(transport.request, query, options),
	};
}

async function* watchLeases(
	request: RequestFunction,
	query: LeaseQuery | undefined,
	options?: WatchOptions,
): AsyncGenerator<LeaseChange> {
	// Older leases have ended, so all changes are on the first page.
	const newest = { ...list, query: { ...query, pageSize: 200 }, isShort: true, options };
	const { watchChanges } = await load();
	yield* watchChanges<'GET /v1/leases', LeaseRecord, LeaseChange>(request, newest, 'lease');
}

const readAdminLease = recordReader({ ...leaseFields, account_id: z.string() });

export function createAdminLeases(request: RequestFunction): AdminLeases {
	return {
		list: (query, options) =>
			createListing(request, {
				route: 'GET /v1/admin/leases',
				filters: { status: textOrList },
				query,
				read: readAdminLease,
				options,
			}),
		end: async (id, options) =>
			await call(request, 'DELETE /v1/admin/leases/{id}', {
				ids: { id },
				read: readAdminLease,
				options,
			}),
	};
}
