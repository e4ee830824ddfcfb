// The activity log, of the account and of all accounts.
import { activityFields } from '../contract/activity.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import { fieldRule, filledText, isObject, recordReader } from '../records/records.ts';
import type { Activity, AdminActivity } from './types.ts';

const details = fieldRule(isObject, 'must be of type object');
const read = recordReader({ ...activityFields, details });
const filters = { kind: filledText };
const adminFilters = { ...filters, accountId: filledText };

export function createActivity(request: RequestFunction): Activity {
	return {
		list: (query, options) =>
			createListing(request, { route: 'GET /v1/activity', filters, query, read, options }),
	};
}

export function createAdminActivity(request: RequestFunction): AdminActivity {
	return {
		list: (query, options) =>
			createListing(request, {
				route: 'GET /v1/admin/activity',
				filters: adminFilters,
				query,
				read,
				options,
			}),
	};
}
