// What the client expects of a `fetch`.

/** The body of a request. */
export type Body = string | Uint8Array<ArrayBuffer>;

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
}

/** A function that sends requests: the `fetch` of a runtime, of undici, or one of your own. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
