// Every way a request can fail, grouped by what the caller can do about it.

import type { ErrorCode } from '../contract/error.ts';
import { redact } from '../contract/printable.ts';
import { BoardAccessError, nameErrors } from './base.ts';
import type {
	ConfigurationErrorCode,
	ConnectionErrorCode,
	Issue,
	ResponseErrorCode,
} from './details.ts';

/** The client is not configured correctly: no key, no base URL, or an invalid option. */
export class ConfigurationError extends BoardAccessError<ConfigurationErrorCode> {
	declare name: 'ConfigurationError';
}

/** How much of invalid input a message names. */
const maxIssues = 10;
const maxText = 300;

function shortened(text: string) {
	return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

/** An argument is invalid. Nothing was sent. */
export class InputError extends BoardAccessError<'invalid_input'> {
	declare name: 'InputError';
	/** Every problem that was found. */
	declare readonly issues: readonly Issue[];

	/** @internal */
	constructor(found: readonly Issue[], hint?: string) {
		// A key may be in a wrong place, such as the name of an option.
		const issues = found.map(({ path, message }) => ({
			path: shortened(redact(path)),
			message: shortened(redact(message)),
		}));
		const named = issues.slice(0, maxIssues);
		const sentences = named.map(({ path, message }) => `${path || 'The input'}: ${message}`);
		if (issues.length > maxIssues) sentences.push(`and ${issues.length - maxIssues} more`);
		super(sentences.join('; '), {
			code: 'invalid_input',
			hint,
			issues,
		});
	}
}

type ApiErrorDetails = Pick<ApiError, 'status' | 'code' | 'headers' | 'body'> & {
	[Name in 'hint' | 'param' | 'requestId' | 'retryAt' | 'issues']?: ApiError[Name] | undefined;
};

/** A 503 of a proxy, without the code of the service, may follow a request that was carried out. */
function changesNothing(status: number, code: string) {
	if (code === 'idempotency_in_progress') return false;
	return (status >= 400 && status < 500 && status !== 408) || code === 'unavailable';
}

/** The service responded with an error status. */
export class ApiError extends BoardAccessError {
	declare name: 'ApiError';
	/** The code that the service sent, or `http_` and the status if it sent none. */
	declare readonly code: ErrorCode | (string & {});
	/** The HTTP status. */
	declare readonly status: number;
	/** The headers of the response. */
	declare readonly headers: Headers;
	/** The body of the response, parsed if it is JSON, truncated at 4 kB. */
	declare readonly body: unknown;
	/** Every problem that the service named. */
	declare readonly issues: readonly Issue[];
	/** The one invalid field or parameter, where the service named it. */
	declare readonly param?: string;
	/** The service's identifier for the request: quote it when you ask for help. */
	declare readonly requestId?: string;
	/** When the service asks you to retry. */
	declare readonly retryAt?: Date;

	/** @internal */
	constructor(message: string, details: ApiErrorDetails) {
		const { status, code, issues = [] } = details;
		const outcome = changesNothing(status, code) ? 'rejected' : 'unknown';
		super(message, { ...details, issues, outcome });
	}
}

/** No response: the request could not be sent, or the connection was lost. */
export class ConnectionError extends BoardAccessError<ConnectionErrorCode> {
	declare name: 'ConnectionError';
}

/**
 * The request did not complete within its `timeout`, or its last attempt within `attemptTimeout`. A
 * signal of `AbortSignal.timeout` rejects with its own reason instead, a `DOMException` with the name
 * `TimeoutError`.
 */
export class RequestTimeoutError extends BoardAccessError<'timeout'> {
	declare name: 'RequestTimeoutError';

	/** @internal */
	constructor(milliseconds: number, missing = 'complete response') {
		super(`No ${missing} within ${milliseconds / 1000} s`, {
			code: 'timeout',
			outcome: 'unknown',
		});
	}
}

/** The response has a success status, but the client cannot use it. */
export class ResponseError extends BoardAccessError<ResponseErrorCode> {
	declare name: 'ResponseError';
	/** The HTTP status. */
	declare status?: number;
	/** The body of the response, parsed if it is JSON, truncated at 4 kB. */
	declare body?: unknown;
	/** The service's identifier for the request: quote it when you ask for help. */
	declare requestId?: string;

	/** @internal */
	constructor(message: string, details: { code: ResponseErrorCode; hint?: string }) {
		super(message, { ...details, outcome: 'unknown' });
	}
}

/** The response is not one of this API: most often the base URL belongs to another server. */
export function invalidResponse(message: string) {
	return new ResponseError(message, {
		code: 'invalid_response',
		hint: 'Check that the base URL is the address of the API.',
	});
}

nameErrors({
	ConfigurationError,
	InputError,
	ApiError,
	ConnectionError,
	RequestTimeoutError,
	ResponseError,
});
