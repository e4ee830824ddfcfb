// Reads a response: its result, or an error that says why there is none.
import { ApiError, ResponseError } from '../errors.ts';
import { defined } from './defined.ts';
import { invalidResponse } from './invalid-response.ts';
import { retryMoment } from './retry.ts';
import type { ReceivedResponse } from './send.ts';

const notModified = 304;

/** The service's identifier for the request. */
export function requestIdOf({ headers, redact }: Pick<ReceivedResponse, 'headers' | 'redact'>) {
	const id = textOf(headers.get('x-request-id'));
	return id && redact(id);
}

/** How the body is read. */
interface Reading {
	method?: string;
	asText?: boolean;
}

/** The JSON of a successful response, `undefined` if it has no body; throws for all others. */
export function readResponse(response: ReceivedResponse, { method, asText }: Reading): unknown {
	const { status, redirected, text } = response;
	const known = status === notModified && method === 'GET';
	if (redirected || (status >= 300 && status < 400 && !known)) {
		throw new ResponseError('The service redirects', { code: 'redirect_refused' });
	}
	if (status < 200 || status >= 400) throw statusError(response);
	if (asText) return text;
	if (text.trim() === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		throw invalidResponse(
			text.trimStart().startsWith('<')
				? 'The response is a web page, not JSON'
				: 'The response is not valid JSON',
		);
	}
}

/** Adds what is known about the response to an error that says it cannot be used. */
export function attachResponse(
	error: unknown,
	response: Pick<ReceivedResponse, 'status' | 'headers' | 'redact'>,
) {
	if (!(error instanceof ResponseError)) return;
	Object.assign(error, defined({ status: response.status, requestId: requestIdOf(response) }));
}

/** The error behind an error status, without what the service says about it. */
function statusError(response: ReceivedResponse) {
	const { status, headers } = response;
	const error = new ApiError(`The service responded with status ${status}`, {
		status,
		code: `http_${status}`,
		headers: new Headers(),
		body: undefined,
		requestId: requestIdOf(response),
		retryAt: retryMoment(headers.get('retry-after')),
	});
	// Only the body says whether the request is still being carried out.
	if (status === 409) error.outcome = 'unknown';
	return error;
}

export function textOf(value: unknown) {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
