// Every error code of the service and its status.
import * as z from 'zod/mini';

export const errorStatuses = {
	invalid_request: 400,
	invalid_json: 400,
	secret_in_path: 400,
	invalid_firmware: 400,
	credentials_missing: 401,
	api_key_malformed: 401,
	api_key_invalid: 401,
	api_key_revoked: 401,
	api_key_expired: 401,
	agent_token_invalid: 401,
	paid_tier_required: 402,
	credits_exhausted: 402,
	admin_required: 403,
	origin_refused: 403,
	scope_insufficient: 403,
	password_required: 403,
	two_factor_required: 403,
	not_found: 404,
	key_not_found: 404,
	board_not_found: 404,
	board_type_not_found: 404,
	base_image_not_found: 404,
	lease_not_found: 404,
	action_not_found: 404,
	file_not_found: 404,
	agent_not_found: 404,
	method_not_allowed: 405,
	idempotency_in_progress: 409,
	idempotency_delivered: 409,
	idempotency_conflict: 409,
	key_limit: 409,
	no_board_available: 409,
	lease_not_active: 409,
	lease_ended: 409,
	lease_limit: 409,
	board_has_no_agent: 409,
	board_in_use: 409,
	fence_outdated: 409,
	console_gap: 409,
	console_input_full: 409,
	agent_connected: 409,
	body_too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
	rate_limited: 429,
	internal: 500,
	unavailable: 503,
} as const;

/**
 * A code that the service can send.
 *
 * @useDeclaredType
 */
export type ErrorCode = keyof typeof errorStatuses;

export const errorBody = z.object({
	error: z.object({
		code: z.string(),
		message: z.string(),
		hint: z.optional(z.string()),
		param: z.optional(z.string()),
		errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
		request_id: z.string(),
	}),
});
