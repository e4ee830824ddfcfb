/**
 * The client of a Board Access Service: {@link BoardAccess} and everything that it takes and returns.
 *
 * @module board-access
 */

// All types of a file types.ts are public.
export type * from './account/types.ts';
export type * from './activity/types.ts';
export type * from './agents/types.ts';
export type * from './base-images/types.ts';
export type * from './boards/types.ts';
export { type Admin, BoardAccess, type RawRequest, type RawResponse } from './client.ts';
export type { ErrorCode } from './contract/error.ts';
export { redact } from './contract/printable.ts';
export { BoardAccessError } from './errors/base.ts';
export type * from './errors/details.ts';
export {
	ApiError,
	ConfigurationError,
	ConnectionError,
	InputError,
	RequestTimeoutError,
	ResponseError,
} from './errors/errors.ts';
export { type AnyBoardAccessError, isApiError, isBoardAccessError } from './errors/guards.ts';
export type { Body, Fetch, FetchInit, FetchResponse } from './http/fetch.ts';
export type { OutgoingRequest, RequestEnd, RequestHook } from './http/hooks.ts';
export { Listing, type Page, type PageQuery } from './http/list.ts';
export type { QueryValue } from './http/path.ts';
export type { Method } from './http/request.ts';
export { type ResponseInfo, responseOf } from './http/response.ts';
export type { WatchConnection, WatchOptions } from './http/watch.ts';
export type * from './keys/types.ts';
export type * from './leases/channel-types.ts';
export type * from './leases/console/types.ts';
export {
	ActionFailedError,
	ChannelError,
	ConsoleUnavailableError,
	ExpectationError,
	LeaseEndedError,
	LeaseNotSharedError,
	NoBoardError,
	ScenarioError,
	WriteError,
} from './leases/errors.ts';
export type * from './leases/scenario-types.ts';
export type * from './leases/types.ts';
export { readApiKey } from './settings/api-key.ts';
export { type BaseUrlRules, readBaseUrl } from './settings/base-url.ts';
export type { Logger, LogLevel, LogMethod } from './settings/log.ts';
export type {
	ApiKeyProvider,
	BoardAccessOptions,
	CreateOptions,
	HeadersInput,
	RequestOptions,
	WebSocketConstructor,
} from './settings/settings.ts';
