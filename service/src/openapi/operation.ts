// How the documentation describes one operation, and what several of them share.
import type { ErrorCode } from 'board-access-contract';
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
	/** The body: JSON, unless it says another type; `file` names the file that an example sends. */
	input?: { schema: string; required: boolean; type?: string; file?: string };
	/** The response: JSON, unless it says other types, or without a body. */
	success: {
		status: 200 | 201 | 202 | 204;
		schema?: string;
		types?: readonly string[];
		description: string;
	};
	/** Says when the response is 304, without a body. */
	notModified?: string;
	/** A body of the request and one of the response, as they may be. */
	example?: { request?: Json | string; response?: Json };
	errors: ErrorCode[];
}

/** The errors of a creation. */
export const creation: ErrorCode[] = [
	'invalid_json',
	'origin_refused',
	'idempotency_in_progress',
	'body_too_large',
	'unsupported_media_type',
	'idempotency_mismatch',
];

/** The errors of a change. */
export const change: ErrorCode[] = [
	'invalid_json',
	'origin_refused',
	'body_too_large',
	'unsupported_media_type',
];

/** The errors of a change of a lease that can be repeated with an `Idempotency-Key`. */
export const repeatable: ErrorCode[] = ['idempotency_in_progress', 'idempotency_conflict'];

/** A parameter of a path, with a value for examples. */
export function inPath(name: string, description: string, example: string) {
	return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
}

export const leaseId = inPath('id', 'The identifier of the lease.', 'lse_4f1b2c3d4e5f60718293a4b5');

export const idempotencyKey = {
	name: 'Idempotency-Key',
	in: 'header',
	description: 'Makes it safe to repeat the request; kept for 24 hours.',
	schema: { type: 'string', minLength: 1, maxLength: 255 },
};
