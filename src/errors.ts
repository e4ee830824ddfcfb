// Every way a call can fail, sorted by what the caller can do about it.
import type { ErrorCode } from './contract/index.ts';
import type { LeaseAction, LeaseEndReason } from './leases.ts';

/**
 * What is known of the request when a call has failed:
 * `not-sent`: it never left; `rejected`: the service refused it, nothing was changed;
 * `unknown`: it may have been carried out.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown';

/** One try of a call. A call makes more than one when it is retried. */
export interface Attempt {
	/** The HTTP method. */
	readonly method: string;
	/** The path below the base address, without the query. */
	readonly path: string;
	/** Counts from 1. */
	readonly attempt: number;
	/** The status of the answer, if one came. */
	readonly status?: number;
	/** The service's own name for this request: quote it when asking for help. */
	readonly requestId?: string;
	/** How long the try took, its answer's body included. */
	readonly durationMs: number;
	/** The code of the error it ended with, if it failed. */
	readonly error?: string;
	/** How long the client waits before the next try, if there is one. */
	readonly retryInMs?: number;
}

/** One fault in what the caller passed, or in what the service refused. */
export interface Issue {
	/** Where it is, for example `url` or `data[3].id`. */
	readonly path: string;
	/** What is wrong with it. */
	readonly message: string;
}

interface Details {
	code: string;
	hint?: string | undefined;
	cause?: unknown;
	outcome?: Outcome;
}

/** Tells errors of this library, those of another copy of it too. */
const brand = Symbol.for('board-access.error');

/** What every error of this library has in common. Nothing in it ever holds an API key. */
export abstract class BoardAccessError extends Error {
	/** A stable word for what happened; made for `switch`. */
	readonly code: string;
	/** What to do about it, where something can be said. */
	declare hint?: string;
	/** Whether the request may have been carried out. */
	outcome: Outcome;
	/** Every try that was made, in order. */
	attempts: readonly Attempt[] = [];

	/** @internal */
	constructor(message: string, { code, hint, cause, outcome = 'not-sent' }: Details) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		if (hint !== undefined) this.hint = hint;
		this.outcome = outcome;
	}
}

/** The client is not set up right: no key, no address, a key that cannot be one. */
export class ConfigurationError extends BoardAccessError {
	declare name: 'ConfigurationError';
}

/** An argument is wrong. Nothing was sent. */
export class InputError extends BoardAccessError {
	declare name: 'InputError';
	/** Every fault that was found. */
	readonly issues: readonly Issue[];

	/** @internal */
	constructor(issues: readonly Issue[], hint?: string) {
		super(issues.map(({ path, message }) => `${path || 'The input'}: ${message}`).join('; '), {
			code: 'invalid_input',
			hint,
		});
		this.issues = issues;
	}
}

type ApiErrorDetails = Pick<ApiError, 'status' | 'code' | 'headers' | 'body'> & {
	[Name in 'hint' | 'param' | 'requestId' | 'retryAt' | 'issues']?: ApiError[Name] | undefined;
};

function changesNothing(status: number) {
	return (status >= 400 && status < 500 && status !== 408) || status === 503;
}

/** The service answered, and the answer is a refusal or a fault of its own. */
export class ApiError extends BoardAccessError {
	declare name: 'ApiError';
	declare readonly code: ErrorCode | (string & {});
	/** The HTTP status. */
	readonly status: number;
	/** The headers of the answer. */
	readonly headers: Headers;
	/** The body of the answer, parsed if it is JSON, cut at 4 kB. */
	readonly body: unknown;
	/** Every fault that the service named. */
	readonly issues: readonly Issue[];
	/** The one field that is at fault, where the service named it. */
	declare readonly param?: string;
	/** The service's own name for the request: quote it when asking for help. */
	declare readonly requestId?: string;
	/** When the service asks to be tried again. */
	declare readonly retryAt?: Date;

	/** @internal */
	constructor(message: string, details: ApiErrorDetails) {
		const { status, code, hint, headers, body, issues = [], param, requestId, retryAt } = details;
		super(message, { code, hint, outcome: changesNothing(status) ? 'rejected' : 'unknown' });
		this.status = status;
		this.headers = headers;
		this.body = body;
		this.issues = issues;
		if (param !== undefined) this.param = param;
		if (requestId !== undefined) this.requestId = requestId;
		if (retryAt !== undefined) this.retryAt = retryAt;
	}
}

/** No answer: the service could not be reached, or the connection was lost on the way. */
export class ConnectionError extends BoardAccessError {
	declare name: 'ConnectionError';
}

/** The call did not end within its `timeout`. */
export class TimeoutError extends BoardAccessError {
	declare name: 'TimeoutError';

	/** @internal */
	constructor(milliseconds: number) {
		super(`No complete answer within ${milliseconds} ms`, { code: 'timeout', outcome: 'unknown' });
	}
}

/** An answer came and says success, but it is not what the call needs. */
export class ResponseError extends BoardAccessError {
	declare name: 'ResponseError';

	/** @internal */
	constructor(message: string, details: { code: string; hint?: string }) {
		super(message, { ...details, outcome: 'unknown' });
	}
}

/** The lease has ended, so that nothing more can be done with its board. */
export class LeaseEndedError extends BoardAccessError {
	declare name: 'LeaseEndedError';
	/** The lease that has ended. */
	readonly leaseId: string;
	/** Why it ended. */
	readonly reason: LeaseEndReason | (string & {});

	/** @internal */
	constructor(message: string, { leaseId, reason }: Pick<LeaseEndedError, 'leaseId' | 'reason'>) {
		super(message, { code: 'lease_ended', outcome: 'unknown' });
		this.leaseId = leaseId;
		this.reason = reason;
	}
}

/** The board or its agent could not carry out an action. */
export class ActionFailedError extends BoardAccessError {
	declare name: 'ActionFailedError';
	/** The action, with the message of the agent. */
	readonly action: LeaseAction;

	/** @internal */
	constructor(action: LeaseAction) {
		super(action.message || `The board could not carry out ${action.action}`, {
			code: 'action_failed',
			outcome: 'unknown',
		});
		this.action = action;
	}
}

/** The console did not show what was expected: `fail_seen` or `not_seen`. */
export class ExpectationError extends BoardAccessError {
	declare name: 'ExpectationError';
	declare readonly code: 'fail_seen' | 'not_seen';
	/** The end of what the console showed, at most 4,000 characters. */
	readonly output: string;
	/** The text that matched `fail`. */
	declare readonly matched?: string;

	/** @internal */
	constructor(message: string, { output, matched }: { output: string; matched?: string }) {
		super(message, {
			code: matched === undefined ? 'not_seen' : 'fail_seen',
			outcome: 'rejected',
		});
		this.output = output;
		if (matched !== undefined) this.matched = matched;
	}
}

// On the prototypes, where it is not printed, and as text, because tools that shorten code rename classes.
Object.defineProperty(BoardAccessError.prototype, brand, { value: true });
const kinds = {
	ConfigurationError,
	InputError,
	ApiError,
	ConnectionError,
	TimeoutError,
	ResponseError,
	LeaseEndedError,
	ActionFailedError,
	ExpectationError,
};
for (const [name, { prototype }] of Object.entries(kinds)) {
	Object.defineProperty(prototype, 'name', { value: name, writable: true, configurable: true });
}

/** The answer does not fit the call: most often another server answers at this address. */
export function invalidResponse(message: string) {
	return new ResponseError(message, {
		code: 'invalid_response',
		hint: 'Check that the base URL is the address of the API.',
	});
}

/** Any error of this library; its `name` tells which. */
export type AnyBoardAccessError =
	| ConfigurationError
	| InputError
	| ApiError
	| ConnectionError
	| TimeoutError
	| ResponseError
	| LeaseEndedError
	| ActionFailedError
	| ExpectationError;

/**
 * Whether an error comes from this library. Unlike `instanceof` it also knows the errors of
 * another copy of the package.
 */
export function isBoardAccessError(error: unknown): error is AnyBoardAccessError {
	return error instanceof Error && brand in error;
}

/**
 * Whether the service answered with an error, and with this code, if one is given.
 *
 * @example
 * ```ts
 * if (isApiError(error, 'paid_tier_required')) console.error(error.hint);
 * ```
 */
export function isApiError<Code extends ErrorCode | (string & {})>(
	error: unknown,
	code?: Code,
): error is ApiError & { code: Code } {
	return (
		isBoardAccessError(error) &&
		error.name === 'ApiError' &&
		(code === undefined || error.code === code)
	);
}
