// Boards, their agents and their base images.
import * as z from 'zod/mini';
import { boardStatuses } from '../board.ts';
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
	baseImageSet,
	baseImageUpdate,
	boardImport,
	boardInput,
	boardUpdate,
	flag,
	listQuery,
	maintenanceInput,
	wait,
} from '../requests.ts';
import type { Operation } from './operation.ts';

/** Room for as many boards as an import may have. */
const maxImportBytes = 2 * 1024 * 1024;

/** Room for the IDs of all boards of an agent. */
const maxAgentBytes = 256 * 1024;

export const boardOperations = {
	listBoards: {
		route: 'GET /v1/boards',
		/** A board is of one of the types, and has all of the tags. `wait`: until the page is another one. */
		query: z.extend(listQuery, {
			board_type: z.optional(
				z.array(z.string()).check(z.maxLength(20, 'must be given at most 20 times')),
			),
			status: z.optional(z.enum(boardStatuses)),
			tag: z.optional(
				z
					.array(z.string().check(z.regex(/^[^:]+:/, 'must be a name, a colon and a value')))
					.check(z.maxLength(20, 'must be given at most 20 times')),
			),
			has_agent: flag,
			wait,
		}),
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
	rotateAgentToken: {
		route: 'POST /v1/admin/agents/{id}/token',
		output: createdAgent,
		status: 201,
	},
	revokeAgent: { route: 'DELETE /v1/admin/agents/{id}', output: agent },
	listBaseImages: {
		route: 'GET /v1/admin/base-images',
		query: z.extend(listQuery, { board_type: z.optional(z.string()) }),
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
