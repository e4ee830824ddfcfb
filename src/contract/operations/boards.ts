// Boards, their agents and their base images.
import {
	agent,
	baseImage,
	baseImagePlan,
	board,
	createdAgent,
	importedBoards,
} from '../records.ts';
import {
	agentInput,
	agentUpdate,
	baseImageInput,
	baseImageQuery,
	baseImageSet,
	baseImageUpdate,
	boardImport,
	boardInput,
	boardQuery,
	boardUpdate,
	maintenanceInput,
} from '../requests.ts';
import type { Operation } from './operation.ts';

/** Room for as many boards as an import may have. */
const maxImportBytes = 2 * 1024 * 1024;

/** Room for the IDs of all boards of an agent. */
const maxAgentBytes = 256 * 1024;

export const boardOperations = {
	listBoards: {
		route: 'GET /v1/boards',
		query: boardQuery,
		output: board,
		paged: true,
		tagged: true,
	},
	getBoard: { route: 'GET /v1/boards/{id}', output: board },
	createBoard: {
		route: 'POST /v1/admin/boards',
		input: boardInput,
		output: board,
		status: 201,
		repeatable: true,
	},
	importBoards: {
		route: 'PUT /v1/admin/boards',
		input: boardImport,
		maxBytes: maxImportBytes,
		output: importedBoards,
	},
	getBoardAsAdmin: { route: 'GET /v1/admin/boards/{id}', output: board },
	updateBoard: { route: 'PATCH /v1/admin/boards/{id}', input: boardUpdate, output: board },
	retireBoard: { route: 'DELETE /v1/admin/boards/{id}', output: board, errors: ['board_in_use'] },
	setMaintenance: {
		route: 'POST /v1/admin/boards/{id}/maintenance',
		input: maintenanceInput,
		output: board,
	},
	listAgents: { route: 'GET /v1/admin/agents', output: agent, paged: true },
	createAgent: {
		route: 'POST /v1/admin/agents',
		input: agentInput,
		maxBytes: maxAgentBytes,
		output: createdAgent,
		status: 201,
		errors: ['board_in_use'],
	},
	getAgent: { route: 'GET /v1/admin/agents/{id}', output: agent },
	updateAgent: {
		route: 'PATCH /v1/admin/agents/{id}',
		input: agentUpdate,
		maxBytes: maxAgentBytes,
		output: agent,
		errors: ['board_in_use'],
	},
	revokeAgent: { route: 'DELETE /v1/admin/agents/{id}', output: agent },
	listBaseImages: {
		route: 'GET /v1/admin/base-images',
		query: baseImageQuery,
		output: baseImage,
		paged: true,
	},
	replaceBaseImages: {
		route: 'PUT /v1/admin/base-images',
		input: baseImageSet,
		output: baseImagePlan,
	},
	createBaseImage: {
		route: 'POST /v1/admin/base-images',
		input: baseImageInput,
		output: baseImage,
		status: 201,
		repeatable: true,
	},
	getBaseImage: { route: 'GET /v1/admin/base-images/{id}', output: baseImage },
	updateBaseImage: {
		route: 'PATCH /v1/admin/base-images/{id}',
		input: baseImageUpdate,
		output: baseImage,
	},
	deleteBaseImage: { route: 'DELETE /v1/admin/base-images/{id}', output: baseImage },
} as const satisfies Record<string, Operation>;
