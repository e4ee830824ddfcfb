// The leases of all accounts, for admins.
import * as z from 'zod/mini';
import { leaseFields } from '../contract/lease.ts';
import { createListing } from '../http/list.ts';
import { recordPath } from '../http/path.ts';
import type { RequestFunction } from '../http/request.ts';
import { listQuery, recordReader, textOrList } from '../records/records.ts';
import type { AdminLeases } from './types.ts';

const path = '/v1/admin/leases';
const read = recordReader({ ...leaseFields, account_id: z.string() });

export function createAdminLeases(request: RequestFunction): AdminLeases {
	return {
		list: (query, options) =>
			createListing(request, () => ({
				path,
				query: listQuery({ status: textOrList }, query),
				read,
				options,
			})),
		end: async (id, options) =>
			await request({
				method: 'DELETE',
				path: recordPath(path, id, 'lease'),
				options,
				read: (body) => read(body),
			}),
	};
}
