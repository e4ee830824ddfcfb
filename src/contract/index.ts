// The wire contract: the shapes that client and service share. No HTTP library, no Node.
export {
	apiKey,
	apiKeyIdPattern,
	apiKeyInput,
	apiKeyPattern,
	apiKeyQuery,
	createdApiKey,
} from './api-key.ts';
export { baseImage, baseImageActions, baseImageInput } from './base-image.ts';
export { board, boardQuery, boardStatuses } from './board.ts';
export { type ErrorCode, errorBody, errorStatuses } from './error.ts';
export { listQuery, pageOf } from './list.ts';
