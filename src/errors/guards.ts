// Tells errors apart.
import type { ErrorCode } from '../contract/error.ts';
import type * as leaseErrors from '../leases/errors.ts';
import { brand } from './base.ts';
import type * as errors from './errors.ts';

/** Any error of this library; its `name` says which one. */
export type AnyBoardAccessError =
	| errors.ConfigurationError
	| errors.InputError
	| errors.ApiError
	| errors.ConnectionError
	| errors.RequestTimeoutError
	| errors.ResponseError
	| leaseErrors.LeaseEndedError
	| leaseErrors.LeaseNotSharedError
	| leaseErrors.NoBoardError
	| leaseErrors.ActionFailedError
	| leaseErrors.ExpectationError
	| leaseErrors.ConsoleUnavailableError
	| leaseErrors.WriteError
	| leaseErrors.ChannelError
	| leaseErrors.ScenarioError;

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
 * @param codeOrStatus - The code or the HTTP status that the error must have. For a code that this version
 * does not know, say so: `'sold_out' as ErrorCode`.
 *
 * @example
 * ```ts
 * if (isApiError(error, 'paid_tier_required')) console.error(error.hint);
 * if (isApiError(error, 429)) console.error(error.retryAt);
 * ```
 */
export function isApiError<Match extends ErrorCode | `http_${number}` | number>(
	error: unknown,
	codeOrStatus?: Match,
): error is errors.ApiError & (Match extends number ? { status: Match } : { code: Match }) {
	return (
		isBoardAccessError(error) &&
		error.name === 'ApiError' &&
		(codeOrStatus === undefined || error.code === codeOrStatus || error.status === codeOrStatus)
	);
}
