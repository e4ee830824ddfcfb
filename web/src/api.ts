// The HTTP API as pages use it: with the session of the visitor, in the same process. What the API
// offers, pages change through it, so that they follow the same rules and return the same errors as every
// other client; credits, accounts, keys that are revoked together and secrets that a page shows once are
// asked of their module.
import { type ErrorCode, errorBody } from 'board-access-contract';
import { ApiError } from 'board-access-core';
import type * as z from 'zod/mini';
import type { Visit } from './pages.tsx';

interface Sent {
	json?: object;
	/** Raw bytes in place of JSON. */
	bytes?: Uint8Array<ArrayBuffer>;
	/** Identifies the request, so that sending it twice changes something once. */
	key?: string;
}

/** Sends a request of the visitor to the API; an error of the API is thrown as it is. */
export async function requestApi(
	{ app, c }: Visit,
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
	path: string,
	{ json, bytes, key }: Sent = {},
) {
	const headers = new Headers(c.req.raw.headers);
	for (const name of ['content-length', 'transfer-encoding', 'if-none-match']) headers.delete(name);
	headers.set('accept', 'application/json');
	headers.set('content-type', json ? 'application/json' : 'application/octet-stream');
	if (key) headers.set('idempotency-key', key);
	const body = json ? JSON.stringify(json) : bytes;
	const url = new URL(`/v1${path}`, c.req.url);
	// The request for the page counts for all of them.
	const env = { ...c.env, fromPage: true };
	const response = await app.request(url, { method, headers, ...(body && { body }) }, env);
	if (!response.ok) throw errorFrom(response, await response.json());
	return response;
}

/** Reads something from the API, as the contract describes it. */
export async function readApi<Schema extends z.ZodMiniType>(
	visit: Visit,
	path: string,
	schema: Schema,
): Promise<z.output<Schema>> {
	return bodyOf(await requestApi(visit, 'GET', path), schema);
}

export async function bodyOf<Schema extends z.ZodMiniType>(response: Response, schema: Schema) {
	return schema.parse(await response.json());
}

function errorFrom({ headers }: Response, body: unknown) {
	const { code, message, hint, errors } = errorBody.parse(body).error;
	const wait = headers.get('retry-after');
	// The service is of one version with its pages, and sends no other codes.
	return new ApiError(code as ErrorCode, message, {
		...(hint && { hint }),
		...(errors && { errors }),
		...(wait && { headers: { 'retry-after': wait } }),
	});
}
