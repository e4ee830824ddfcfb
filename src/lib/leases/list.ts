// The list of the account's leases.
import type { LeaseQuery, LeaseRecord } from '../../leases.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import type { RequestOptions } from '../settings.ts';
import { readLease } from './records.ts';

export function listLeases(
	query: LeaseQuery = {},
	options?: RequestOptions,
): ListRequest<LeaseRecord> {
	return { path: '/v1/leases', query: pageQuery({ ...query }), read: readLease, options };
}
