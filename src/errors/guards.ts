// Tells errors apart.
import type { ErrorCode } from '../contract/error.ts';
import type {
	ActionFailedError,
	ConsoleUnavailableError,
	ExpectationError,
	LeaseEndedError,
	WriteError,
} from '../leases/errors.ts';
import { brand } from './base.ts';
import type {
	ApiError,
	ConfigurationError,
	ConnectionError,
	InputError,
	ResponseError,
	TimeoutError,
} from './errors.ts';

/** Any error of this library; its `name` says which one. */
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
 * @param error - Any caught value.
 */
export function isBoardAccessError(error: unknown): error is AnyBoardAccessError {
	return typeof error === 'object' && error !== null && brand in error;
}

/**
 * Whether the service responded with an error; with this code or status, if one is given.
 *
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
