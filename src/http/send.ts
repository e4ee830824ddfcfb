// Sends one request once. The only file that knows how ky sends.

import { connectionError, notSent } from '../errors/connection-error.ts';
import { ResponseError } from '../errors/errors.ts';
import { isErrorLike } from '../errors/redact.ts';
import { joinBytes } from '../records/join-bytes.ts';
import type { PreparedRequest, ReceivedResponse } from './exchange.ts';
import type { FetchInit } from './fetch.ts';
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
	const complete = () => {
		const response = fetch(url, init);
		started = true;
		return response as Promise<Response>; // of a caller's own fetch, only what is used is required
	};
	try {
		// With the first request, because loading ky initializes the whole fetch of Node.
		const { ky } = await import('./ky.ts');
		signal.throwIfAborted();
		return await ky(url, { retry: 0, timeout: false, throwHttpErrors: false, fetch: complete });
	} catch (error) {
		if (signal.aborted) throw error;
		const original = withoutKy(error);
		throw started && isValid(url, init)
			? connectionError(original, request)
			: notSent(original, request);
	}
}

/** Reads the body to the end, but no more of it than the limit allows. */
async function receive(
	request: PreparedRequest,
	response: Response,
	signal: AbortSignal,
): Promise<ReceivedResponse> {
	const { status, headers, redirected, type, body } = response;
	const head = {
		status,
		headers,
		redirected: redirected || type === 'opaqueredirect',
		redact: request.redact,
	};
	const isStream = headers.get('content-type') === 'application/octet-stream';
	if (request.asStream && isStream && status === 200 && body) return { ...head, text: '', body };
	try {
		return { ...head, text: await textOf(response, request.maxResponseSize, signal) };
	} catch (error) {
		attachResponse(error, head);
		if (signal.aborted || error instanceof ResponseError) throw error;
		throw connectionError(error, request);
	}
}

async function textOf(response: Response, limit: number, signal: AbortSignal) {
	if (Number(response.headers.get('content-length')) > limit) {
		await response.body?.cancel();
		throw tooLarge(limit);
	}
	if (!response.body) return await response.text();
	const reader = response.body.getReader();
	const chunks: Uint8Array[] = [];
	let size = 0;
	for (;;) {
		const { done, value } = await reader.read();
		// All at once, because decoding them one by one takes longer.
		if (done) return new TextDecoder().decode(joinBytes(chunks));
		chunks.push(value);
		size += value.byteLength;
		if (size > limit || signal.aborted) {
			reader.cancel().catch(() => {}); // it may never settle, so it is not awaited
			throw signal.aborted ? signal.reason : tooLarge(limit);
		}
	}
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
