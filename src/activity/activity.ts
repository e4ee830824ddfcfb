// The list of the activity log.
import { activityFields } from '../contract/activity.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import { fieldRule, filledText, isObject, listQuery, recordReader } from '../records/records.ts';
import type { Activity, AdminActivity } from './types.ts';

const details = fieldRule(isObject, 'must be of type object');
const read = recordReader({ ...activityFields, details });
const filters = { kind: filledText, accountId: filledText };

export function createActivity(request: RequestFunction, path: string): Activity & AdminActivity {
	return {
		list: (query, options) =>
			createListing(request, () => ({ path, query: listQuery(filters, query), read, options })),
	};
}
