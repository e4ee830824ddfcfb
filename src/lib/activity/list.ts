// The list of the activity log.
import * as z from 'zod/mini';
import type { ActivityEntry, AdminActivityQuery } from '../../activity.ts';
import { activityFields } from '../../contract/activity.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { readInput, recordReader } from '../records.ts';
import type { RequestOptions } from '../settings.ts';

const readEntry = recordReader(activityFields);

const queryFields = {
	kind: z.optional(z.string()),
	accountId: z.optional(z.string()),
	pageSize: z.optional(z.number()),
	cursor: z.optional(z.string()),
};

export function listActivity(
	path: string,
	query: AdminActivityQuery = {},
	options?: RequestOptions,
): ListRequest<ActivityEntry> {
	return { path, query: () => pageQuery(readInput(queryFields, query)), read: readEntry, options };
}
