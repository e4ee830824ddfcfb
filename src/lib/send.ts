// Sends one request once. The only file that knows the HTTP library.
import { redact } from '../contract/index.ts';
import { ConnectionError } from '../errors.ts';
import { redactedCause } from './redact.ts';

/** A request that is ready to be sent, as often as it takes. */
export interface PreparedRequest {
	method: string;
	url: string;
	headers: Readonly<Record<string, string>>;
	body: string | Uint8Array<ArrayBuffer> | undefined;
	credentials: RequestCredentials | undefined;
	fetch: typeof globalThis.fetch | undefined;
}

/** An answer with its body read to the end. */
export interface ReceivedResponse {
	status: number;
	redirected: boolean;
	headers: Headers;
	text: string;
}

// Node, Bun and Deno each have their own words for the same few faults.
const notSentErrors: Readonly<Record<string, { code: string; message: string }>> = {
	ECONNREFUSED: { code: 'connection_refused', message: 'Nothing answers at this address' },
	ConnectionRefused: { code: 'connection_refused', message: 'Nothing answers at this address' },
	ENOTFOUND: { code: 'name_not_found', message: 'The name of the host is not known' },
	EAI_AGAIN: { code: 'name_not_found', message: 'The name of the host could not be looked up' },
	EHOSTUNREACH: { code: 'unreachable', message: 'The host cannot be reached' },
	ENETUNREACH: { code: 'unreachable', message: 'The network cannot be reached' },
	'bad port': { code: 'port_blocked', message: 'fetch refuses to connect to this port' },
	UND_ERR_CONNECT_TIMEOUT: { code: 'connect_timeout', message: 'The host does not answer' },
};

const tlsCode =
	/^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** A response whose body is still coming. */
export interface ResponseStream {
	status: number;
	redirected: boolean;
	headers: Headers;
	body: ReadableStream<Uint8Array> | null;
	text(): Promise<string>;
}

export type Send<Received> = (outgoing: PreparedRequest, signal: AbortSignal) => Promise<Received>;

export async function send(outgoing: PreparedRequest, signal: AbortSignal) {
	return await translated(outgoing, signal, async (response): Promise<ReceivedResponse> => {
		return { ...response, text: await response.text() };
	});
}

export async function openStream(outgoing: PreparedRequest, signal: AbortSignal) {
	return await translated(outgoing, signal, async (response) => response);
}

async function translated<Received>(
	{ method, url, headers, body, credentials, fetch }: PreparedRequest,
	signal: AbortSignal,
	receive: (response: ResponseStream) => Promise<Received>,
): Promise<Received> {
	// Past ky, which would copy the headers three times and watch the signal once more.
	const complete = (request: Request) => {
		for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
		return (fetch ?? globalThis.fetch)(request, { signal });
	};
	try {
		// With the first call, not before: it tries out what fetch can do, which is slow to wake.
		const { default: ky } = await import('ky');
		signal.throwIfAborted();
		const response = await ky(url, {
			method,
			redirect: 'manual',
			retry: 0,
			timeout: false,
			throwHttpErrors: false,
			...(body !== undefined && { body }),
			...(credentials && { credentials }),
			fetch: (request) => complete(request as Request), // the one that ky made
		});
		return await receive({
			status: response.status,
			redirected: response.redirected || response.type === 'opaqueredirect',
			headers: response.headers,
			body: response.body,
			text: () => response.text(),
		});
	} catch (error) {
		if (signal.aborted) throw error;
		throw connectionError(withoutRequest(error), new URL(url).host);
	}
}

function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return '';
	if ('code' in error && typeof error.code === 'string') return error.code;
	if (/client error \(Connect\).*dns/.test(error.message)) return 'ENOTFOUND';
	if (/client error \(Connect\).*refused/.test(error.message)) return 'ECONNREFUSED';
	if (error.message === 'bad port') return error.message;
	return codeOf(error.cause);
}

function connectionError(error: unknown, host: string) {
	const cause = redactedCause(error);
	const code = codeOf(error);
	const known = notSentErrors[code];
	if (known) {
		return new ConnectionError(`${known.message}: ${host}`, { code: known.code, cause });
	}
	if (tlsCode.test(code)) {
		return new ConnectionError(`No secure connection to ${host}: ${code}`, {
			code: 'tls_failed',
			cause,
		});
	}
	const text = cause?.cause instanceof Error ? cause.cause.message : cause?.message;
	return new ConnectionError(
		`The connection to ${host} was lost${text ? `: ${redact(text)}` : ''}`,
		{
			code: 'connection_lost',
			cause,
			outcome: 'unknown',
		},
	);
}

// ky wraps what fetch throws in errors that hold the request and so the key; only the inside goes on.
function withoutRequest(error: unknown) {
	return error instanceof Error && 'request' in error ? error.cause : error;
}
