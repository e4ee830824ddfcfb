/**
 * The client of a Board Access Service: {@link BoardAccess} and everything that it takes and returns.
 *
 * @module board-access
 */
export type { Account, AccountRecord } from './account/types.ts';
export type {
	Activity,
	ActivityChannel,
	ActivityEntry,
	ActivityKind,
	ActivityQuery,
	AdminActivity,
	AdminActivityQuery,
} from './activity/types.ts';
export type { Agent, AgentInput, Agents, AgentUpdate, CreatedAgent } from './agents/types.ts';
export type {
	BaseImage,
	BaseImageAction,
	BaseImageInput,
	BaseImagePlan,
	BaseImageQuery,
	BaseImageSet,
	BaseImages,
	BaseImageUpdate,
} from './base-images/types.ts';
export type {
	AdminBoards,
	Board,
	BoardChange,
	BoardInput,
	BoardMemory,
	BoardQuery,
	BoardStatus,
	Boards,
	BoardUpdate,
	ImportedBoards,
	Maintenance,
} from './boards/types.ts';
export { type Admin, BoardAccess, type RawRequest, type RawResponse } from './client.ts';
export type { ErrorCode } from './contract/error.ts';
export { redact } from './contract/printable.ts';
export { BoardAccessError } from './errors/base.ts';
export type {
	Attempt,
	ChannelErrorCode,
	ClientErrorCode,
	ConfigurationErrorCode,
	ConnectionErrorCode,
	Issue,
	Outcome,
	ResponseErrorCode,
} from './errors/details.ts';
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
} from './keys/types.ts';
export type {
	BoardChannel,
	ChannelOptions,
	SerialChannel,
	SerialLine,
	SerialSettings,
} from './leases/channel-types.ts';
export type {
	ConsoleConnection,
	ConsoleMatch,
	ConsoleOptions,
	ConsoleText,
	ExpectOptions,
	LeaseConsole,
	WriteOptions,
} from './leases/console/types.ts';
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
export type { ScenarioOptions, ScenarioStep, StepOutcome } from './leases/scenario-types.ts';
export type {
	ActionOptions,
	ActionProgress,
	AdminLeaseRecord,
	AdminLeases,
	AnyLease,
	BoardAction,
	BoardById,
	BoardOfType,
	BoardTerms,
	Firmware,
	FlashOptions,
	Lease,
	LeaseAction,
	LeaseAttachOptions,
	LeaseChange,
	LeaseCreateOptions,
	LeaseDuration,
	LeaseEndReason,
	LeaseGroup,
	LeaseGroupTerms,
	LeaseInput,
	LeaseOfBoard,
	LeaseOfType,
	LeaseProgress,
	LeaseQuery,
	LeaseRecord,
	LeaseShare,
	LeaseStatus,
	Leases,
	LeaseTerms,
	RenewedLease,
	ShareAccess,
	WantedBoard,
} from './leases/types.ts';
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
