// Every way a request can fail, grouped by what the caller can do about it.
import type { ErrorCode } from './contract/error.ts';
import type {
	Attempt,
	ConfigurationErrorCode,
	ConnectionErrorCode,
	Issue,
	Outcome,
	ResponseErrorCode,
} from './error-details.ts';
import type {
	ActionFailedError,
	ConsoleUnavailableError,
	ExpectationError,
	LeaseEndedError,
	WriteError,
} from './lease-errors.ts';
import { defined } from './lib/defined.ts';

/** What an error says. All but the cause are its fields. */
interface Details<Code extends string> {
	code: Code;
	hint?: string | undefined;
	cause?: unknown;
	outcome?: Outcome;
	[field: string]: unknown;
}

/** Identifies errors of this library, including those of another copy of it. */
const brand = Symbol.for('board-access.error');

/**
 * The base of every error of this library. It never contains an API key.
 *
 * @group Errors
 */
export abstract class BoardAccessError<Code extends string = string> extends Error {
	/** A stable identifier of what happened, made for `switch`. */
	declare readonly code: Code;
	/** What you can do about it, where there is advice to give. */
	declare hint?: string;
	/** Whether the request may have been carried out. */
	declare outcome: Outcome;
	/** Every attempt that was made, in order. */
	declare attempts: readonly Attempt[];

	/** @internal */
	constructor(message: string, { cause, outcome = 'not-sent', ...details }: Details<Code>) {
		super(message, cause === undefined ? undefined : { cause });
		Object.assign(this, defined({ ...details, outcome, attempts: [] }));
	}
}

/**
 * The client is not configured correctly: no key, no base URL, or an invalid option.
 *
 * @group Errors
 */
export class ConfigurationError extends BoardAccessError<ConfigurationErrorCode> {
	declare name: 'ConfigurationError';
}

/**
 * An argument is invalid. Nothing was sent.
 *
 * @group Errors
 */
export class InputError extends BoardAccessError<'invalid_input'> {
	declare name: 'InputError';
	/** Every problem that was found. */
	declare readonly issues: readonly Issue[];

	/** @internal */
	constructor(issues: readonly Issue[], hint?: string) {
		super(issues.map(({ path, message }) => `${path || 'The input'}: ${message}`).join('; '), {
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

/**
 * The service responded with an error status.
 *
 * @group Errors
 */
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

/**
 * No response: the request could not be sent, or the connection was lost.
 *
 * @group Errors
 */
export class ConnectionError extends BoardAccessError<ConnectionErrorCode> {
	declare name: 'ConnectionError';
}

/**
 * The request did not complete within its `timeout`, or its last attempt within `attemptTimeout`.
 *
 * @group Errors
 */
export class TimeoutError extends BoardAccessError<'timeout'> {
	declare name: 'TimeoutError';

	/** @internal */
	constructor(milliseconds: number, missing = 'complete response') {
		super(`No ${missing} within ${milliseconds / 1000} s`, {
			code: 'timeout',
			outcome: 'unknown',
		});
	}
}

/**
 * The response has a success status, but the client cannot use it.
 *
 * @group Errors
 */
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

// On the prototype, so that it is not printed.
Object.defineProperty(BoardAccessError.prototype, brand, { value: true });

nameErrors({
	ConfigurationError,
	InputError,
	ApiError,
	ConnectionError,
	TimeoutError,
	ResponseError,
});

/**
 * Sets the names of errors: on the prototypes, so that they are not printed, and as text, because
 * minifiers rename classes.
 */
export function nameErrors(kinds: Readonly<Record<string, { prototype: BoardAccessError }>>) {
	for (const [name, { prototype }] of Object.entries(kinds)) {
		Object.defineProperty(prototype, 'name', { value: name, writable: true, configurable: true });
	}
}

/**
 * Any error of this library; its `name` says which one.
 *
 * @group Errors
 */
export type AnyBoardAccessError =
	| ConfigurationError
	| InputError
	| ApiError
	| ConnectionError
	| TimeoutError
	| ResponseError
	| LeaseEndedError
	| ActionFailedError
	| ExpectationError
	| ConsoleUnavailableError
	| WriteError;

/**
 * Whether an error comes from this library. Unlike `instanceof`, it also recognizes the errors of
 * another copy of the package.
 *
 * @group Errors
 * @param error - Any caught value.
 */
export function isBoardAccessError(error: unknown): error is AnyBoardAccessError {
	return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Whether the service responded with an error; with this code or status, if one is given.
 *
 * @group Errors
 * @param error - Any caught value.
 *
 * @example
 * ```ts
 * if (isApiError(error, 'paid_tier_required')) console.error(error.hint);
 * if (isApiError(error, 429)) console.error(error.retryAt);
 * ```
 */
export function isApiError(error: unknown): error is ApiError;
/**
 * @param error - Any caught value.
 * @param code - The code that the error must have.
 */
export function isApiError<Code extends ErrorCode | (string & {})>(
	error: unknown,
	code: Code,
): error is ApiError & { code: Code };
/**
 * @param error - Any caught value.
 * @param status - The HTTP status that the error must have.
 */
export function isApiError<Status extends number>(
	error: unknown,
	status: Status,
): error is ApiError & { status: Status };
export function isApiError(error: unknown, codeOrStatus?: string | number) {
	return (
		isBoardAccessError(error) &&
		error.name === 'ApiError' &&
		(codeOrStatus === undefined || error.code === codeOrStatus || error.status === codeOrStatus)
	);
}
