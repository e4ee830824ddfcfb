// A request to an endpoint that has no method in the client.
import { InputError } from '../errors.ts';
import { checkDepth } from './json.ts';
import { jsonBody } from './json-body.ts';
import { checkedPath } from './path.ts';
import type { QueryValue } from './query.ts';
import type { Method, RequestFunction } from './request.ts';
import { type ResponseInfo, responseInfo } from './response-info.ts';
import type { CreateOptions } from './settings.ts';

/**
 * A request of an endpoint that has no method of its own.
 *
 * @group Client
 */
export interface RawRequest extends CreateOptions {
	/** The HTTP method. */
	method: Method;
	/** The path below the base URL, for example `/v1/boards`. */
	path: string;
	/** The query parameters, in the names of the API. */
	query?: Readonly<Record<string, QueryValue>> | undefined;
	/** What is sent as the JSON body. */
	json?: unknown;
	/**
	 * What to return: the parsed `json` (the default), the body as `text`, or the whole `response` with
	 * its status.
	 */
	as?: 'json' | 'text' | 'response' | undefined;
}

/**
 * A response with its parsed body.
 *
 * @group Client
 */
export interface RawResponse<Body = unknown> extends ResponseInfo {
	/** The JSON of the response, `undefined` if it has no body. */
	readonly body: Body;
}

export async function rawRequest(
	request: RequestFunction,
	{ method, path, query, json, as, ...options }: RawRequest,
): Promise<unknown> {
	if (method === 'GET' && json !== undefined) {
		throw new InputError([{ path: 'json', message: 'must be omitted: a GET request has no body' }]);
	}
	return await request({
		method,
		path: checkedPath(path),
		query,
		body: jsonBody(json),
		options,
		wireNames: true,
		asText: as === 'text',
		read: (body, response) => {
			checkDepth(body);
			return as === 'response' ? { ...responseInfo(response), body } : body;
		},
	});
}
