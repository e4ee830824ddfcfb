/**
 * The client of a Board Access Service: {@link BoardAccess} and everything that it takes and returns.
 *
 * @module board-access
 */
export type {
	Activity,
	ActivityChannel,
	ActivityEntry,
	ActivityKind,
	ActivityQuery,
	AdminActivity,
	AdminActivityQuery,
} from './activity.ts';
export type {
	BaseImage,
	BaseImageAction,
	BaseImageInput,
	BaseImageQuery,
	BaseImages,
	BaseImageUpdate,
} from './base-images.ts';
export type {
	AdminBoards,
	Board,
	BoardInput,
	BoardMemory,
	BoardQuery,
	BoardStatus,
	Boards,
	BoardUpdate,
} from './boards.ts';
export { type Admin, BoardAccess, type RawRequest, type RawResponse } from './client.ts';
export { redact } from './contract/api-key.ts';
export type { ErrorCode } from './contract/error.ts';
export type {
	Attempt,
	ClientErrorCode,
	ConfigurationErrorCode,
	ConnectionErrorCode,
	Issue,
	Outcome,
	ResponseErrorCode,
} from './error-details.ts';
export { type AnyBoardAccessError, isApiError, isBoardAccessError } from './error-guards.ts';
export {
	ApiError,
	ConfigurationError,
	ConnectionError,
	InputError,
	ResponseError,
	TimeoutError,
} from './errors.ts';
export { BoardAccessError } from './errors-base.ts';
export type {
	ApiKey,
	ApiKeyInput,
	ApiKeyQuery,
	ApiKeyScope,
	CreatedApiKey,
	Keys,
	RevokedApiKey,
	RevokeOptions,
	RotatedApiKey,
} from './keys.ts';
export {
	ActionFailedError,
	ConsoleUnavailableError,
	ExpectationError,
	LeaseEndedError,
	WriteError,
} from './lease-errors.ts';
export type {
	ActionOptions,
	ActionProgress,
	BoardAction,
	ConsoleConnection,
	ConsoleMatch,
	ConsoleOptions,
	ExpectOptions,
	Firmware,
	FlashOptions,
	Lease,
	LeaseAction,
	LeaseAttachOptions,
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
export { type BaseUrlRules, readBaseUrl } from './lib/base-url.ts';
export type { Body, Fetch, FetchInit, FetchResponse } from './lib/fetch.ts';
export type { Logger, LogLevel, LogMethod } from './lib/log.ts';
export type { QueryValue } from './lib/path.ts';
export type { Method } from './lib/request.ts';
export { type ResponseInfo, responseOf } from './lib/response-info.ts';
export type {
	ApiKeyProvider,
	BoardAccessOptions,
	CreateOptions,
	HeadersInput,
	RequestOptions,
} from './lib/settings.ts';
export { Listing, type Page } from './listing.ts';
