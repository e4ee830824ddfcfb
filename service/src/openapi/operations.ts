// The operations of the HTTP API, as the documentation tells them.
import {
	apiKeyQuery,
	apiKeyRevocation,
	baseImageQuery,
	boardQuery,
	type ErrorCode,
} from 'board-access-contract';
import type * as z from 'zod/mini';

export type Json = Record<string, unknown>;

export interface Operation {
	operationId: string;
	summary: string;
	description?: string;
	tag: string;
	/** Header and path parameters, as OpenAPI writes them. */
	parameters?: Json[] | undefined;
	query?: z.ZodMiniObject | undefined;
	input?: { schema: string; required: boolean };
	success: { status: 200 | 201; schema: string; description: string };
	errors: ErrorCode[];
}

const creation: ErrorCode[] = [
	'invalid_json',
	'origin_refused',
	'idempotency_in_progress',
	'body_too_large',
	'unsupported_media_type',
	'idempotency_mismatch',
];

const idempotencyKey = {
	name: 'Idempotency-Key',
	in: 'header',
	description: 'Makes it safe to send the request again; kept for 24 hours.',
	schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const change: ErrorCode[] = [
	'invalid_json',
	'origin_refused',
	'body_too_large',
	'unsupported_media_type',
];

const baseImageId = {
	name: 'id',
	in: 'path',
	required: true,
	description: 'The identifier of the base image.',
	schema: { type: 'string' },
};

const keyId = {
	name: 'id',
	in: 'path',
	required: true,
	description: 'The identifier of the key, not the key.',
	schema: { type: 'string', pattern: '^key_[0-9a-f]{24}$' },
};

export const operations: Record<string, Record<string, Operation>> = {
	'/v1/auth/keys': {
		get: {
			operationId: 'listKeys',
			summary: 'List the API keys of the account',
			description: 'Newest first. Revoked keys are left out unless they are asked for.',
			tag: 'API keys',
			query: apiKeyQuery,
			success: { status: 200, schema: 'ApiKeyPage', description: 'A page of keys' },
			errors: ['scope_insufficient'],
		},
		post: {
			operationId: 'createKey',
			summary: 'Create an API key',
			description:
				'Needs the paid tier. The key is in this answer and nowhere else: only its hash is kept. A request that is sent again with the same Idempotency-Key replaces a first key that was never used.',
			tag: 'API keys',
			parameters: [idempotencyKey],
			input: { schema: 'ApiKeyInput', required: false },
			success: { status: 201, schema: 'CreatedApiKey', description: 'The key, shown this once' },
			errors: [
				...creation,
				'scope_insufficient',
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
			description: 'It stops working at once. Revoking it again answers the same.',
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
			tag: 'Boards',
			query: boardQuery,
			success: { status: 200, schema: 'BoardPage', description: 'A page of boards, by name' },
			errors: [],
		},
	},
	'/v1/admin/base-images': {
		get: {
			operationId: 'listBaseImages',
			summary: 'List the base images',
			description: 'For administrators. Board type by board type, each in its order.',
			tag: 'Base images',
			query: baseImageQuery,
			success: { status: 200, schema: 'BaseImagePage', description: 'A page of base images' },
			errors: ['admin_required', 'scope_insufficient'],
		},
		put: {
			operationId: 'replaceBaseImages',
			summary: 'Replace the base images of a board type',
			description:
				'For administrators. Adds, changes and removes entries in one transaction, so that the board type has exactly the given ones. An entry is recognized by its name and action. With `dry_run` nothing is changed. Sending the same request again changes nothing.',
			tag: 'Base images',
			input: { schema: 'BaseImageSet', required: true },
			success: { status: 200, schema: 'BaseImagePlan', description: 'What changed' },
			errors: [...change, 'admin_required', 'scope_insufficient'],
		},
		post: {
			operationId: 'createBaseImage',
			summary: 'Create a base image',
			description:
				'For administrators. `flash` needs `url`. Without a position it goes after the last of its board type. `id` and `created_at` are assigned, whatever is sent.',
			tag: 'Base images',
			parameters: [idempotencyKey],
			input: { schema: 'BaseImageInput', required: true },
			success: { status: 201, schema: 'BaseImage', description: 'The base image' },
			errors: [...creation, 'admin_required', 'scope_insufficient'],
		},
	},
	'/v1/admin/base-images/{id}': {
		get: {
			operationId: 'getBaseImage',
			summary: 'Get a base image',
			description: 'For administrators.',
			tag: 'Base images',
			parameters: [baseImageId],
			success: { status: 200, schema: 'BaseImage', description: 'The base image' },
			errors: ['admin_required', 'scope_insufficient', 'base_image_not_found'],
		},
		patch: {
			operationId: 'updateBaseImage',
			summary: 'Change a base image',
			description: 'For administrators. Fields that are left out stay as they are.',
			tag: 'Base images',
			parameters: [baseImageId],
			input: { schema: 'BaseImageUpdate', required: true },
			success: { status: 200, schema: 'BaseImage', description: 'The changed base image' },
			errors: [...change, 'admin_required', 'scope_insufficient', 'base_image_not_found'],
		},
		delete: {
			operationId: 'deleteBaseImage',
			summary: 'Delete a base image',
			description: 'For administrators.',
			tag: 'Base images',
			parameters: [baseImageId],
			success: { status: 200, schema: 'BaseImage', description: 'The deleted base image' },
			errors: ['origin_refused', 'admin_required', 'scope_insufficient', 'base_image_not_found'],
		},
	},
};
