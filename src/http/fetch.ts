// What the client expects of a `fetch`, what it sends with it, and what comes back.
import type { Redact } from '../errors/redact.ts';

/** The body of a request: text, or bytes in a memory of their own, which TypeScript before 5.7 has no name for. */
export type Body = string | ReturnType<Uint8Array['slice']>;

/** The second argument of every call of `fetch`. */
export interface FetchInit {
	/** The HTTP method, in upper case. */
	method: string;
	/** The headers, their names in lower case. */
	headers: Record<string, string>;
	/** The body, if there is one. */
	body?: Body;
	/** Aborted when the time is up or the caller aborts. */
	signal: AbortSignal;
	/** Redirects are never followed. */
	redirect: 'manual';
	/** Whether cookies are sent; left to the runtime where it is missing. */
	credentials?: 'include' | 'omit';
}

/** What the client needs of a response; every `Response` has it. */
export interface FetchResponse {
	/** The HTTP status. */
	readonly status: number;
	/** The headers. */
	readonly headers: Iterable<[string, string]> & {
		/** The value of one header, null or undefined without it. */
		get(name: string): string | null | undefined;
	};
	/** The whole body as text. */
	text(): Promise<string>;
	/**
	 * The body as a stream with `getReader()`, which only the console of a lease requires. Without it,
	 * `text()` is used.
	 */
	readonly body?: unknown;
}

/** A function that sends requests: the `fetch` of a runtime, of undici, or one of your own. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A request that is ready to be sent, as often as needed. */
export interface PreparedRequest {
	url: string;
	headers: Record<string, string>;
	/** The other options of the `fetch` call. */
	init: Omit<FetchInit, 'headers' | 'signal'>;
	fetch: Fetch | undefined;
	maxResponseSize: number;
	/** Leaves the body of a response that is a stream of bytes to the caller. */
	asStream: boolean | undefined;
	redact: Redact;
}

/** A response whose body is still on its way. */
export interface ResponseHead {
	status: number;
	headers: Headers;
	redact: Redact;
}

/** A response whose body was read to the end, unless it is a stream. */
export interface ReceivedResponse extends ResponseHead {
	redirected: boolean;
	text: string;
	/** The body that was not read: of a stream. */
	body?: ReadableStream<Uint8Array>;
}

/** Sends a request once and reads the whole response. */
export type Send = (request: PreparedRequest, signal: AbortSignal) => Promise<ReceivedResponse>;
