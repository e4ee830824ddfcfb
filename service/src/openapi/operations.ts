// The operations of the HTTP API, as the documentation describes them.
import { apiKeyQuery, apiKeyRevocation, boardQuery } from 'board-access-contract';
import { activityOperations } from './activity-operations.ts';
import { baseImageOperations } from './base-image-operations.ts';
import { boardOperations } from './board-operations.ts';
import { leaseOperations } from './lease-operations.ts';
import { linkOperations } from './link-operations.ts';
import { creation, idempotencyKey, inPath, type Operation } from './operation.ts';

const keyId = {
	...inPath('id', 'The identifier of the key, not the key.', 'key_0123456789abcdef01234567'),
	schema: { type: 'string', pattern: '^key_[0-9a-f]{24}$' },
};

const ifNoneMatch = {
	name: 'If-None-Match',
	in: 'header',
	description: 'The `ETag` of the page that the caller has.',
	schema: { type: 'string' },
};

export const operations: Record<string, Record<string, Operation>> = {
	'/v1/auth/keys': {
		get: {
			operationId: 'listKeys',
			summary: 'List the API keys of the account',
			description: 'Newest first. Revoked keys are omitted unless requested.',
			tag: 'API keys',
			query: apiKeyQuery,
			success: { status: 200, schema: 'ApiKeyPage', description: 'A page of keys' },
			errors: ['scope_insufficient'],
		},
		post: {
			operationId: 'createKey',
			summary: 'Create an API key',
			description:
				'Needs the paid tier, and with a session cookie a password that was entered within 15 minutes. The full key is returned only here: the service keeps its hash. Repeating the request with the same Idempotency-Key replaces a first key that was never used.',
			tag: 'API keys',
			parameters: [idempotencyKey],
			input: { schema: 'ApiKeyInput', required: false },
			example: { request: { label: 'ci' } },
			success: { status: 201, schema: 'CreatedApiKey', description: 'The key, shown this once' },
			errors: [
				...creation,
				'scope_insufficient',
				'password_required',
				'paid_tier_required',
				'idempotency_delivered',
				'key_limit',
			],
		},
	},
	'/v1/auth/keys/{id}': {
		delete: {
			operationId: 'revokeKey',
			summary: 'Revoke an API key',
			description: 'It stops working at once. Revoking it again returns the same record.',
			tag: 'API keys',
			parameters: [keyId],
			query: apiKeyRevocation,
			success: { status: 200, schema: 'ApiKey', description: 'The revoked key' },
			errors: ['secret_in_path', 'origin_refused', 'scope_insufficient', 'key_not_found'],
		},
	},
	'/v1/boards': {
		get: {
			operationId: 'listBoards',
			summary: 'List the boards',
			description:
				'`board_type` can be repeated to list boards of several types. With `wait`, the response is sent once the page differs from the one of `If-None-Match`, or from the present one, or after this many seconds.',
			tag: 'Boards',
			parameters: [ifNoneMatch],
			query: boardQuery,
			notModified: 'The page is the one of `If-None-Match`',
			success: { status: 200, schema: 'BoardPage', description: 'A page of boards, by name' },
			errors: [],
		},
	},
	...activityOperations,
	...boardOperations,
	...leaseOperations,
	...linkOperations,
	...baseImageOperations,
};
