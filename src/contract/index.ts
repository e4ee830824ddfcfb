// The wire contract: the shapes that client and service share. No HTTP library, no Node.
export { apiKey, apiKeyIdPattern, apiKeyPattern, createdApiKey, redact } from './api-key.ts';
export { baseImage, baseImageActions, highestPosition } from './base-image.ts';
export { board, boardStatuses } from './board.ts';
export { type ErrorCode, errorBody, errorStatuses } from './error.ts';
export { pageOf } from './list.ts';
export {
	apiKeyInput,
	apiKeyQuery,
	baseImageInput,
	boardQuery,
	line,
	listQuery,
} from './requests.ts';
