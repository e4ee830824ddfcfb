// Keeps what is known of the answer beside a result, so that it does not get in the way of the data.

/** What came with a result. */
export interface ResponseInfo {
	/** The HTTP status. */
	readonly status: number;
	/** The headers of the answer. */
	readonly headers: Headers;
	/** The service's own name for the request, if it gave one. */
	readonly requestId: string | undefined;
}

const responses = new WeakMap<object, ResponseInfo>();

export function rememberResponse(result: unknown, response: ResponseInfo) {
	if (typeof result === 'object' && result !== null) responses.set(result, response);
}

/**
 * The status, headers and request id of the answer that a result came from. Of a whole list, it is
 * the answer with the last page. `undefined` for anything that is not a result of this client.
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
