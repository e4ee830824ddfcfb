// Sends one request once. The only file that knows the HTTP library.
import type { KyInstance } from 'ky';
import { ConnectionError, type ConnectionErrorCode, ResponseError } from '../errors.ts';
import type { Body, Fetch, FetchInit } from './fetch.ts';
import { fieldsOf } from './json.ts';
import { isErrorLike, type Redact, redactedCause } from './redact.ts';
import { attachResponse } from './response.ts';

/** A request that is ready to be sent, as often as needed. */
export interface PreparedRequest {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: Body | undefined;
	credentials: 'include' | 'omit' | undefined;
	fetch: Fetch | undefined;
	fetchOptions: Readonly<Record<string, unknown>> | undefined;
	maxResponseSize: number;
	redact: Redact;
}

/** A response whose body was read to the end. */
export interface ReceivedResponse {
	status: number;
	redirected: boolean;
	headers: Headers;
	text: string;
	redact: Redact;
}

/** Sends the request and reads the whole response. */
export async function send(
	request: PreparedRequest,
	signal: AbortSignal,
): Promise<ReceivedResponse> {
	return await receive(request, await open(request, signal), signal);
}

// With the first request, not before: it tries out what fetch can do, which is slow to load. And kept,
// because an import takes time even of a module that is loaded.
let ky: KyInstance | undefined;

/** Sends the request; the body of the response is still on its way. */
export async function open(request: PreparedRequest, signal: AbortSignal): Promise<Response> {
	const { method, url, fetch = globalThis.fetch } = request;
	const init = initOf(request, signal);
	let started = false;
	// Past the request that ky makes: a custom fetch gets what every other library gives it.
	const complete = () => {
		const response = fetch(url, init);
		started = true;
		return response as Promise<Response>; // of a caller's own fetch, only what is used is required
	};
	try {
		ky ??= (await import('ky')).default;
		signal.throwIfAborted();
		const options = { method, retry: 0, timeout: false, throwHttpErrors: false } as const;
		return await ky(url, { ...options, fetch: complete });
	} catch (error) {
		if (signal.aborted) throw error;
		const original = withoutKy(error);
		throw started && isValid(url, init)
			? connectionError(original, request)
			: notSent(original, request);
	}
}

/** Reads the body to the end, but no more of it than the limit allows. */
export async function receive(
	request: PreparedRequest,
	response: Response,
	signal: AbortSignal,
): Promise<ReceivedResponse> {
	const { status, headers, redirected, type } = response;
	const { redact } = request;
	try {
		return {
			status,
			redirected: redirected || type === 'opaqueredirect',
			headers,
			text: await textOf(response, request.maxResponseSize, signal),
			redact,
		};
	} catch (error) {
		attachResponse(error, { status, headers, redact });
		if (signal.aborted || error instanceof ResponseError) throw error;
		throw connectionError(error, request);
	}
}

function initOf(request: PreparedRequest, signal: AbortSignal): FetchInit {
	const { method, headers, body, credentials, fetchOptions } = request;
	return {
		...fetchOptions,
		method,
		headers,
		...(body !== undefined && { body }),
		...(credentials && { credentials }),
		redirect: 'manual',
		signal,
	};
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
		if (done) return decoded(chunks, size);
		chunks.push(value);
		size += value.byteLength;
		if (size > limit || signal.aborted) {
			reader.cancel().catch(() => {}); // it may never settle, so it is not awaited
			throw signal.aborted ? signal.reason : tooLarge(limit);
		}
	}
}

/** The text of all chunks, decoded together: piece by piece takes more time. */
function decoded(chunks: readonly Uint8Array[], size: number) {
	const bytes = new Uint8Array(size);
	let start = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, start);
		start += chunk.byteLength;
	}
	return new TextDecoder().decode(bytes);
}

function tooLarge(limit: number) {
	return new ResponseError(`The response is larger than ${limit} bytes`, {
		code: 'response_too_large',
		hint: 'If this size is expected, raise maxResponseSize or ask for smaller pages.',
	});
}

const refused = ['connection_refused', 'Nothing is listening at this address'] as const;
const unknownName = ['name_not_found', 'The host name is not known'] as const;
const unreachable = ['unreachable', 'The host cannot be reached'] as const;

// Node, Bun and Deno use different messages for the same errors.
const notSentErrors: Readonly<Record<string, readonly [ConnectionErrorCode, string]>> = {
	ECONNREFUSED: refused,
	ConnectionRefused: refused,
	ENOTFOUND: unknownName,
	EAI_AGAIN: ['name_not_found', 'The host name could not be looked up'],
	EHOSTUNREACH: unreachable,
	ENETUNREACH: unreachable,
	'bad port': ['port_blocked', 'fetch refuses to connect to this port'],
	UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'The host does not respond'],
};

const tlsCode =
	/^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;

function codeOf(error: unknown): string {
	if (!isErrorLike(error)) return '';
	const { code } = fieldsOf(error);
	if (typeof code === 'string') return code;
	if (/client error \(Connect\).*dns/.test(error.message)) return 'ENOTFOUND';
	if (/client error \(Connect\).*refused/.test(error.message)) return 'ECONNREFUSED';
	if (/invalid peer certificate/.test(error.message)) return 'CERT_INVALID';
	if (error.message === 'bad port') return error.message;
	return codeOf(error.cause);
}

function connectionError(error: unknown, request: PreparedRequest) {
	const { host } = new URL(request.url);
	const cause = redactedCause(error, request.redact);
	const code = codeOf(error);
	const known = notSentErrors[code];
	if (known) return new ConnectionError(`${known[1]}: ${host}`, { code: known[0], cause });
	if (tlsCode.test(code)) {
		return new ConnectionError(`No secure connection to ${host}: ${request.redact(code)}`, {
			code: 'tls_failed',
			hint: 'If the certificate comes from a private authority, set NODE_EXTRA_CA_CERTS (Deno: DENO_CERT) to its file before the process starts. Otherwise check that this port serves https.',
			cause,
		});
	}
	if (/^(UND_ERR_INVALID_ARG|ERR_INVALID_)/.test(code)) return notSent(error, request);
	const text = reasonOf(cause);
	return new ConnectionError(`The connection to ${host} was lost${text && `: ${text}`}`, {
		code: 'connection_lost',
		cause,
		outcome: 'unknown',
	});
}

/** The request was never valid, or the caller's fetch failed before it began. */
function notSent(error: unknown, { redact }: PreparedRequest) {
	const cause = redactedCause(error, redact);
	const text = reasonOf(cause);
	return new ConnectionError(`The request could not be sent${text && `: ${text}`}`, {
		code: 'request_not_sent',
		hint: 'Check the options fetch and fetchOptions.',
		cause,
	});
}

function reasonOf(cause: Error | undefined) {
	const { message = '' } = isErrorLike(cause?.cause) ? cause.cause : (cause ?? {});
	return message;
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
