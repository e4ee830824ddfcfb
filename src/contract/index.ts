// The wire contract: the shapes that client, service and agent share. No HTTP library, no Node.
export { activityChannels, activityKinds } from './activity.ts';
export {
	agent,
	agentAction,
	agentBoard,
	agentConnection,
	agentConsole,
	agentConsoleInput,
	agentIdPattern,
	agentLease,
	agentReport,
	agentTokenPattern,
	agentWork,
	createdAgent,
	drivenBoard,
	highestFence,
} from './agent.ts';
export { apiKeyIdFrom, apiKeyIdPattern, apiKeyPattern, redact } from './api-key.ts';
export { apiKeyScopes } from './api-key-fields.ts';
export { baseImageActions, highestPosition } from './base-image.ts';
export { boardStatuses } from './board.ts';
export { type ErrorCode, errorBody, errorStatuses } from './error.ts';
export { firmwareFormats, maxFileSize } from './firmware/format.ts';
export {
	boardActions,
	consoleStatuses,
	gapOffset,
	leaseActionPhases,
	leaseActionStatuses,
	leaseEndReasons,
	leaseStatuses,
} from './lease.ts';
export { pageOf } from './list.ts';
export { type CamelCased, camelCased, snakeCase } from './names.ts';
export {
	activityEntry,
	adminLease,
	apiKey,
	baseImage,
	baseImagePlan,
	board,
	createdApiKey,
	firmwareFile,
	lease,
	leaseAction,
	renewedLease,
} from './records.ts';
export {
	activityQuery,
	agentInput,
	agentUpdate,
	apiKeyInput,
	apiKeyQuery,
	apiKeyRevocation,
	baseImageInput,
	baseImageQuery,
	baseImageSet,
	baseImageUpdate,
	boardInput,
	boardQuery,
	boardUpdate,
	consoleInputQuery,
	consoleOffset,
	consoleQuery,
	fileQuery,
	flashOffset,
	leaseActionInput,
	leaseActionQuery,
	leaseInput,
	leaseListQuery,
	leaseQuery,
	leaseRenewal,
	line,
	listQuery,
	maintenanceInput,
	maxConsoleInput,
	maxWaitSeconds,
} from './requests.ts';
