// The list of the account's leases.
import * as z from 'zod/mini';
import type { LeaseQuery, LeaseRecord } from '../../leases.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { readInput } from '../records.ts';
import type { RequestOptions } from '../settings.ts';
import { readLease } from './records.ts';

const queryFields = {
	status: z.string(),
	pageSize: z.number(),
	cursor: z.string(),
};

export function listLeases(
	query: LeaseQuery = {},
	options?: RequestOptions,
): ListRequest<LeaseRecord> {
	return {
		path: '/v1/leases',
		query: pageQuery(readInput(queryFields, query)),
		read: readLease,
		options,
	};
}
