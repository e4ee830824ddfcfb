// The operations on the activity log.
import { activityQuery } from 'board-access-contract';
import { ownActivityQuery } from '../activity/routes.ts';
import type { Operation } from './operation.ts';

const description =
	'Newest first. Repeats that anybody can cause, such as failed log-ins, are counted in one entry.';

export const activityOperations: Record<string, Record<string, Operation>> = {
	'/v1/activity': {
		get: {
			operationId: 'listActivity',
			summary: 'List what the account did and what was done to it',
			description: `${description} Entries about changes that somebody else made do not say who made them or from where.`,
			tag: 'Activity',
			query: ownActivityQuery,
			success: { status: 200, schema: 'ActivityPage', description: 'A page of entries' },
			errors: ['scope_insufficient'],
		},
	},
	'/v1/admin/activity': {
		get: {
			operationId: 'listAllActivity',
			summary: 'List the activity of every account',
			description: `For administrators. ${description}`,
			tag: 'Activity',
			query: activityQuery,
			success: { status: 200, schema: 'ActivityPage', description: 'A page of entries' },
			errors: ['admin_required', 'scope_insufficient'],
		},
	},
};
