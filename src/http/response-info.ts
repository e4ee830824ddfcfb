// Keeps information about the response separate from a result, so that it does not mix with the data.
import type { ReceivedResponse } from './exchange.ts';
import { requestIdOf } from './response.ts';

/** The response that a result comes from. */
export interface ResponseInfo {
	/** The HTTP status. */
	readonly status: number;
	/** The headers of the response. */
	readonly headers: Headers;
	/** The service's identifier for the request, if it sent one. */
	readonly requestId: string | undefined;
}

const responses = new WeakMap<object, ResponseInfo>();

export function rememberResponse(result: unknown, response: ResponseInfo) {
	if (typeof result === 'object' && result !== null) responses.set(result, response);
}

/**
 * The status, headers and request id of the response that a result comes from. For a whole list,
 * this is the response with its last page. `undefined` for anything else than a result of this client.
 *
 * @param result - A record, a page, or an array that a method of the client returned.
 *
 * @example
 * ```ts
 * const boards = await client.boards.list();
 * console.log(responseOf(boards)?.requestId);
 * ```
 */
export function responseOf(result: object): ResponseInfo | undefined {
	return responses.get(result);
}

/** What is kept about a response. */
export function responseInfo(response: ReceivedResponse): ResponseInfo {
	const { status, headers } = response;
	return { status, headers, requestId: requestIdOf(response) };
}
