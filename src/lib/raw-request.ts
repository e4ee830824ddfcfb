// A request to an endpoint that has no method in the client.
import type { RawRequest } from '../client.ts';
import { InputError } from '../errors.ts';
import { checkDepth } from './json.ts';
import { jsonBody } from './json-body.ts';
import { checkedPath } from './path.ts';
import type { RequestFunction } from './request.ts';
import { responseInfo } from './response-info.ts';

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
