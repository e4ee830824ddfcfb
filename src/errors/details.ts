// What an error says: its code, its outcome, the attempts that were made and the problems found.

/**
 * What is known about a failed request:
 * `not-sent`: it never left this machine; `rejected`: it changed nothing, because the service rejected
 * it or because it only reads;
 * `unknown`: it may have been carried out.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown';

/** One attempt to send a request. A request that is retried has more than one. */
export interface Attempt {
	/** The HTTP method. */
	readonly method: string;
	/** The path below the base URL, without the query. */
	readonly path: string;
	/**
	 * The path with the name of each id, such as `/v1/leases/{id}/actions/{action_id}`, for metrics and traces.
	 * Missing for `client.request`, whose paths are your own.
	 */
	readonly route?: string;
	/** The number of the attempt, starting at 1. */
	readonly attempt: number;
	/** The status of the response, if there was one. */
	readonly status?: number;
	/** The service's identifier for this request: quote it when you ask for help. */
	readonly requestId?: string;
	/** How long the attempt took, including the response body. */
	readonly durationMs: number;
	/** The code of the error, if the attempt failed. */
	readonly error?: string;
	/** How long the client waits before the next attempt, if there is one. */
	readonly retryInMs?: number;
}

/** One problem with the caller's input, found by this library or by the service. */
export interface Issue {
	/** Where it is, in the names of this library: `flashOffset` or `data[3].id`. */
	readonly path: string;
	/** What the problem is. */
	readonly message: string;
}

/** The code of a {@link ConfigurationError}. */
export type ConfigurationErrorCode =
	| 'api_key_missing'
	| 'api_key_malformed'
	| 'base_url_missing'
	| 'base_url_invalid'
	| 'insecure_http'
	| 'browser_refused'
	| 'runtime_unsupported'
	| 'option_invalid';

/** The code of a {@link ConnectionError}. */
export type ConnectionErrorCode =
	| 'connection_refused'
	| 'name_not_found'
	| 'unreachable'
	| 'port_blocked'
	| 'connect_timeout'
	| 'tls_failed'
	| 'request_not_sent'
	| 'connection_lost';

/** The code of a {@link ResponseError}. */
export type ResponseErrorCode =
	| 'invalid_response'
	| 'redirect_refused'
	| 'response_too_large'
	| 'cursor_repeated'
	| 'too_many_pages';

/** The code of a `ChannelError`. */
export type ChannelErrorCode =
	| 'port_failed'
	| 'overrun'
	| 'connection_lost'
	| 'agent_lost'
	| 'credential_ended'
	| 'access_ended';

/** Every code of an error that is not an {@link ApiError}. */
export type ClientErrorCode =
	| ConfigurationErrorCode
	| ConnectionErrorCode
	| ResponseErrorCode
	| ChannelErrorCode
	| 'invalid_input'
	| 'timeout'
	| 'lease_ended'
	| 'lease_not_shared'
	| 'no_board_available'
	| 'action_failed'
	| 'fail_seen'
	| 'not_seen'
	| 'console_disconnected'
	| 'console_interrupted'
	| 'write_incomplete'
	| 'scenario_disturbed';
