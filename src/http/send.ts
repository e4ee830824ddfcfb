// Sends one request once. The only file that knows how ky sends.

import { joinBytes } from '../contract/channel/bytes.ts';
import { BoardAccessError } from '../errors/base.ts';
import { connectionError, notSent } from '../errors/connection-error.ts';
import { ConfigurationError, ResponseError } from '../errors/errors.ts';
import { isErrorLike } from '../errors/redact.ts';
import { fieldsOf } from '../records/json.ts';
import type { FetchInit, PreparedRequest, ReceivedResponse } from './fetch.ts';
import { ky } from './ky.ts';
import { attachResponse } from './response.ts';

/** Sends the request and reads the whole response. */
export async function send(
	request: PreparedRequest,
	signal: AbortSignal,
): Promise<ReceivedResponse> {
	return await receive(request, await open(request, signal), signal);
}

/** Sends the request; the body of the response is still on its way. */
async function open(request: PreparedRequest, signal: AbortSignal): Promise<Response> {
	const { url, headers, fetch = globalThis.fetch } = request;
	const init = { ...request.init, headers, signal };
	let started = false;
	// Bypasses ky's Request, so that a custom fetch gets what every other library gives it.
	const complete = async () => {
		const sending = fetch(url, init);
		started = true;
		const response = await sending;
		requireResponse(response);
		return response as Response; // of a caller's own fetch, only what is used is required
	};
	try {
		return await ky(url, { retry: 0, timeout: false, throwHttpErrors: false, fetch: complete });
	} catch (error) {
		if (signal.aborted) throw error;
		const original = withoutKy(error);
		if (original instanceof ConfigurationError) throw original;
		// A function of the caller may have sent the request before it rejects, whatever the reason is.
		const isKnown = !started || (!request.fetch && !isValid(url, init));
		throw isKnown ? notSent(original, request) : connectionError(original, request);
	}
}

/** Reads the body to the end, but no more of it than the limit allows. */
async function receive(
	request: PreparedRequest,
	response: Response,
	signal: AbortSignal,
): Promise<ReceivedResponse> {
	const { status, headers, redirected, type } = response;
	const body = streamOf(response);
	const head = {
		status,
		headers,
		redirected: redirected || type === 'opaqueredirect',
		redact: request.redact,
	};
	const isStream = headers.get('content-type') === 'application/octet-stream';
	if (request.asStream && isStream && status === 200) {
		if (body) return { ...head, text: '', body };
		throw unusable();
	}
	try {
		return { ...head, text: await textOf(response, request.maxResponseSize, signal) };
	} catch (error) {
		attachResponse(error, head);
		if (signal.aborted || error instanceof BoardAccessError) throw error;
		throw connectionError(error, request);
	}
}

async function textOf(response: Response, limit: number, signal: AbortSignal) {
	const body = streamOf(response);
	if (Number(response.headers.get('content-length')) > limit) {
		await body?.cancel();
		throw tooLarge(limit);
	}
	if (!body) {
		const text: unknown = await response.text();
		if (typeof text === 'string') return text;
		throw unusable();
	}
	const reader = body.getReader();
	const chunks: Uint8Array[] = [];
	let size = 0;
	for (;;) {
		const { done, value } = await reader.read();
		// All at once, because decoding them one by one takes longer.
		if (done) return new TextDecoder().decode(joinBytes(chunks));
		if (!ArrayBuffer.isView(value)) throw unusable();
		chunks.push(value);
		size += value.byteLength;
		if (size > limit || signal.aborted) {
			reader.cancel().catch(() => {}); // it may never settle, so it is not awaited
			throw signal.aborted ? signal.reason : tooLarge(limit);
		}
	}
}

/** TypeScript alone has checked what a caller's own fetch returns. */
function requireResponse(response: unknown) {
	const { status, headers, text } = fieldsOf(response);
	if (typeof status !== 'number' || !fieldsOf(headers).get || !text) throw unusable();
}

function unusable() {
	return new ConfigurationError(
		'The option fetch must return status, headers, text(); for a console body.getReader()',
		{ code: 'option_invalid', outcome: 'unknown' },
	);
}

/** A caller's own fetch may return a body of another kind, or none. */
function streamOf({ body }: Response) {
	return typeof fieldsOf(body).getReader === 'function' ? body : undefined;
}

function tooLarge(limit: number) {
	return new ResponseError(`The response is larger than ${limit} bytes`, {
		code: 'response_too_large',
		hint: 'If this size is expected, raise maxResponseSize or ask for smaller pages.',
	});
}

/** Whether the runtime accepts the request. Asked only after a failure, because it takes time. */
function isValid(url: string, init: FetchInit) {
	try {
		new Request(url, init);
		return true;
	} catch {
		return false;
	}
}

// ky wraps what fetch throws; only the inner error says what happened.
function withoutKy(error: unknown) {
	return isErrorLike(error) && error.name === 'NetworkError' && 'request' in error
		? error.cause
		: error;
}
