// Responses as JSON.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import type { ApiError } from 'board-access-core';
import type { ServiceContext } from './environment.ts';
import { completeResponse } from './headers.ts';

export function respond(
	c: ServiceContext,
	body: unknown,
	{ status = 200, headers }: { status?: 200 | 201 | 202; headers?: Record<string, string> } = {},
) {
	return completeResponse({
		body: JSON.stringify(body),
		status,
		headers: { 'content-type': 'application/json', ...headers },
		requestId: c.get('requestId'),
	});
}

/** The response to a change that happens once, which says whether it is a replay of an earlier one. */
export function respondOnce(
	c: ServiceContext,
	{ result, replayed }: { result: unknown; replayed: boolean },
	status: 200 | 201 | 202 = 201,
) {
	return respond(c, result, { status, ...(replayed && { headers: replayedHeaders }) });
}

export function respondEmpty(c: ServiceContext, headers?: Record<string, string>) {
	return completeResponse({ body: null, status: 204, headers, requestId: c.get('requestId') });
}

export const replayedHeaders = { 'idempotent-replayed': 'true' };

/** What the response to an error says to every client. */
function headersOf(code: ErrorCode): Record<string, string> {
	if (code === 'unavailable') return { 'retry-after': '2' };
	if (code === 'credentials_missing') return { 'www-authenticate': 'Bearer' };
	return errorStatuses[code] === 401 ? { 'www-authenticate': 'Bearer error="invalid_token"' } : {};
}

/** The response to a request that ends with an error. */
export function errorResponse({ code, message, details }: ApiError, requestId: string) {
	const { headers, ...rest } = details;
	return completeResponse({
		body: JSON.stringify({ error: { code, message, ...rest, request_id: requestId } }),
		status: errorStatuses[code],
		headers: { 'content-type': 'application/json', ...headersOf(code), ...headers },
		requestId,
	});
}
