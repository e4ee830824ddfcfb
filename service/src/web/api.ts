// The HTTP API as pages use it: with the session of the visitor, in the same process. So
// a page follows the same rules and returns the same errors as every other client.
import { type ErrorCode, errorBody, errorStatuses } from 'board-access-contract';
import type * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import type { ServiceApp, ServiceContext } from '../http/environment.ts';

interface ApiRequest {
	method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: string;
	json?: object;
	/** Raw bytes in place of JSON. */
	bytes?: Uint8Array<ArrayBuffer>;
	headers?: Record<string, string>;
}

/** Sends a request of the visitor to the API; an error of the API is thrown as it is. */
export async function requestApi(app: ServiceApp, c: ServiceContext, request: ApiRequest) {
	const { method = 'GET', path, json, bytes } = request;
	const headers = new Headers({
		...Object.fromEntries(c.req.raw.headers),
		...request.headers,
	});
	for (const name of ['content-length', 'transfer-encoding', 'if-none-match']) headers.delete(name);
	headers.set('accept', 'application/json');
	headers.set('content-type', json ? 'application/json' : 'application/octet-stream');
	const body = json ? JSON.stringify(json) : bytes;
	const url = new URL(`/v1${path}`, c.req.url);
	const response = await app.request(url, { method, headers, ...(body && { body }) }, c.env);
	if (!response.ok) throw errorFrom(response, await response.json());
	return response;
}

/** The same, with the body as the contract describes it. */
export async function readApi<Schema extends z.ZodMiniType>(
	app: ServiceApp,
	c: ServiceContext,
	{ schema, ...request }: ApiRequest & { schema: Schema },
): Promise<z.output<Schema>> {
	return schema.parse(await (await requestApi(app, c, request)).json());
}

function errorFrom({ headers }: Response, body: unknown) {
	const { code, message, hint, errors } = errorBody.parse(body).error;
	const wait = headers.get('retry-after');
	return new ApiError(isErrorCode(code) ? code : 'internal', message, {
		...(hint && { hint }),
		...(errors && { errors }),
		...(wait && { headers: { 'retry-after': wait } }),
	});
}

function isErrorCode(code: string): code is ErrorCode {
	return Object.hasOwn(errorStatuses, code);
}
