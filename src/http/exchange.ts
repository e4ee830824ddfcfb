// What is sent for one attempt, and what comes back.

import type { Redact } from '../errors/redact.ts';
import type { Fetch, FetchInit } from './fetch.ts';

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
