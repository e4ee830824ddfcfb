// The list of the activity log.
import * as z from 'zod/mini';
import type { ActivityEntry, AdminActivityQuery } from '../../activity.ts';
import { activityFields } from '../../contract/activity.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { fieldRule, isObject, readInput, recordReader } from '../records.ts';
import type { RequestOptions } from '../settings.ts';

const details = fieldRule(isObject, 'must be of type object');
const readEntry = recordReader({ ...activityFields, details });

const queryFields = {
	kind: z.string(),
	accountId: z.string(),
	pageSize: z.number(),
	cursor: z.string(),
};

export function listActivity(
	path: string,
	query: AdminActivityQuery = {},
	options?: RequestOptions,
): ListRequest<ActivityEntry> {
	return { path, query: pageQuery(readInput(queryFields, query)), read: readEntry, options };
}
