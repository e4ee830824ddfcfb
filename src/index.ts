/**
 * The client of a Board Access Service: {@link BoardAccess} and everything that it gives and takes.
 *
 * @module board-access
 */
export type { Admin } from './admin.ts';
export type { BaseImage, BaseImageAction, BaseImageInput, BaseImages } from './base-images.ts';
export type { Board, BoardQuery, BoardStatus, Boards } from './boards.ts';
export { BoardAccess, type RawRequest } from './client.ts';
export { redact } from './contract/api-key.ts';
export type { ErrorCode } from './contract/error.ts';
export {
	ActionFailedError,
	type AnyBoardAccessError,
	ApiError,
	type Attempt,
	BoardAccessError,
	ConfigurationError,
	ConnectionError,
	ExpectationError,
	InputError,
	type Issue,
	isApiError,
	isBoardAccessError,
	LeaseEndedError,
	type Outcome,
	ResponseError,
	TimeoutError,
} from './errors.ts';
export type {
	ApiKey,
	ApiKeyInput,
	ApiKeyQuery,
	CreatedApiKey,
	Keys,
	RevokedApiKey,
	RotatedApiKey,
} from './keys.ts';
export type {
	ActionOptions,
	ActionProgress,
	BoardAction,
	ConsoleMatch,
	ConsoleOptions,
	ExpectOptions,
	Firmware,
	FlashOptions,
	Lease,
	LeaseAction,
	LeaseConsole,
	LeaseCreateOptions,
	LeaseEndReason,
	LeaseInput,
	LeaseProgress,
	LeaseQuery,
	LeaseRecord,
	LeaseStatus,
	Leases,
} from './leases.ts';
export { readApiKey } from './lib/api-key.ts';
export { readBaseUrl } from './lib/base-url.ts';
export type { QueryValue } from './lib/path.ts';
export type { Method } from './lib/request.ts';
export { type ResponseInfo, responseOf } from './lib/response-info.ts';
export type {
	ApiKeyProvider,
	BoardAccessOptions,
	CreateOptions,
	RequestOptions,
} from './lib/settings.ts';
export type { Listing } from './listing.ts';
