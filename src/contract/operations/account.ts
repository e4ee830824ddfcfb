// The account, its API keys and its activity.
import * as z from 'zod/mini';
import { account, activityEntry, apiKey, createdApiKey } from '../records.ts';
import { activityQuery, apiKeyInput, apiKeyQuery, apiKeyRevocation } from '../requests.ts';
import type { Operation } from './operation.ts';

export const accountOperations = {
	getAccount: { route: 'GET /v1/account', output: account },
	listKeys: { route: 'GET /v1/auth/keys', query: apiKeyQuery, output: apiKey, paged: true },
	createKey: {
		route: 'POST /v1/auth/keys',
		input: apiKeyInput,
		inputOptional: true,
		output: createdApiKey,
		status: 201,
		confirmed: true,
		repeatable: true,
		errors: ['paid_tier_required', 'idempotency_delivered', 'key_limit'],
	},
	revokeKey: { route: 'DELETE /v1/auth/keys/{id}', query: apiKeyRevocation, output: apiKey },
	listActivity: {
		route: 'GET /v1/activity',
		query: z.omit(activityQuery, { account_id: true }),
		output: activityEntry,
		paged: true,
	},
	listAllActivity: {
		route: 'GET /v1/admin/activity',
		query: activityQuery,
		output: activityEntry,
		paged: true,
	},
} as const satisfies Record<string, Operation>;
