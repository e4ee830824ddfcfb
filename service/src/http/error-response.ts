// The response to a request that ends with an error.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import type { ApiError } from '../errors.ts';
import { completeResponse } from './headers.ts';

const fixedHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
	credentials_missing: { 'www-authenticate': 'Bearer' },
	api_key_malformed: { 'www-authenticate': 'Bearer error="invalid_token"' },
	api_key_invalid: { 'www-authenticate': 'Bearer error="invalid_token"' },
	api_key_revoked: { 'www-authenticate': 'Bearer error="invalid_token"' },
	unavailable: { 'retry-after': '2' },
};

export function errorResponse(error: ApiError, request: Request, requestId: string) {
	const { code, message, details } = error;
	const { headers, ...rest } = details;
	const status = errorStatuses[code];
	const problem = request.headers.get('accept')?.includes('application/problem+json') ?? false;
	const body = problem
		? {
				type: 'about:blank',
				title: code,
				status,
				detail: message,
				code,
				...rest,
				request_id: requestId,
			}
		: { error: { code, message, ...rest, request_id: requestId } };
	return completeResponse({
		body: JSON.stringify(body),
		status,
		headers: {
			'content-type': problem ? 'application/problem+json' : 'application/json',
			...fixedHeaders[code],
			...headers,
		},
		requestId,
	});
}
