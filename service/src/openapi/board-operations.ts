// The operations on one board.
import { change, creation, idempotencyKey, inPath, leaseId, type Operation } from './operation.ts';

const boardId = inPath('id', 'The identifier of the board.', 'brd_arduino-uno-01');

const board = {
	id: boardId.example,
	name: 'arduino-uno-01',
	board_type: 'arduino-uno',
	status: 'in_use',
	status_reason: '',
	description: 'Beside the window',
	tags: { rack: '1' },
	credits_per_minute: 1,
	lease_id: leaseId.example,
	has_agent: true,
	memory: { start: 0, size: 32_768, machine: 83 },
	created_at: '2026-01-02T03:04:05.678Z',
	updated_at: '2026-01-02T03:04:05.678Z',
};

export const boardOperations: Record<string, Record<string, Operation>> = {
	'/v1/boards/{id}': {
		get: {
			operationId: 'getBoard',
			summary: 'Get a board',
			description:
				'`lease_id` is set for the account that holds the board, and null for others. Without an agent (`has_agent`), the board can be reserved, but not flashed or read. `memory` says what firmware has to fit, while an agent that knows it is connected: the flash in the address space, the processor of an ELF file (`machine`) and the chip family of a UF2 file.',
			tag: 'Boards',
			parameters: [boardId],
			success: { status: 200, schema: 'Board', description: 'The board' },
			example: { response: board },
			errors: ['board_not_found'],
		},
	},
	'/v1/admin/boards': {
		post: {
			operationId: 'createBoard',
			summary: 'Create a board',
			description:
				'For administrators. `status` is the status that the board has while no lease holds it.',
			tag: 'Boards',
			parameters: [idempotencyKey],
			input: { schema: 'BoardInput', required: true },
			success: { status: 201, schema: 'Board', description: 'The board' },
			example: {
				request: { name: 'arduino-uno-01', board_type: 'arduino-uno', tags: { rack: '1' } },
				response: { ...board, status: 'available', lease_id: null },
			},
			errors: [...creation, 'admin_required', 'scope_insufficient'],
		},
	},
	'/v1/admin/boards/{id}': {
		get: {
			operationId: 'getBoardAsAdmin',
			summary: 'Get a board',
			description: 'For administrators. The same as `GET /v1/boards/{id}`.',
			tag: 'Boards',
			parameters: [boardId],
			success: { status: 200, schema: 'Board', description: 'The board' },
			example: { response: board },
			errors: ['admin_required', 'scope_insufficient', 'board_not_found'],
		},
		patch: {
			operationId: 'updateBoard',
			summary: 'Change a board',
			description:
				'For administrators. Omitted fields do not change; `tags` is replaced as a whole.',
			tag: 'Boards',
			parameters: [boardId],
			input: { schema: 'BoardUpdate', required: true },
			success: { status: 200, schema: 'Board', description: 'The changed board' },
			example: { request: { tags: { rack: '2' } }, response: { ...board, tags: { rack: '2' } } },
			errors: [...change, 'admin_required', 'scope_insufficient', 'board_not_found'],
		},
		delete: {
			operationId: 'retireBoard',
			summary: 'Retire a board',
			description:
				'For administrators. Removes a board that no lease holds. Leases that are waiting for this board end with `no_board`; past leases are kept.',
			tag: 'Boards',
			parameters: [boardId],
			success: { status: 200, schema: 'Board', description: 'The removed board' },
			example: { response: { ...board, status: 'available', lease_id: null } },
			errors: [
				'origin_refused',
				'admin_required',
				'scope_insufficient',
				'board_not_found',
				'board_in_use',
			],
		},
	},
	'/v1/admin/boards/{id}/maintenance': {
		post: {
			operationId: 'setMaintenance',
			summary: 'Begin or end the maintenance of a board',
			description:
				'For administrators. No lease is granted on a board in maintenance. A current lease of the board continues until it ends.',
			tag: 'Boards',
			parameters: [boardId],
			input: { schema: 'MaintenanceInput', required: true },
			success: { status: 200, schema: 'Board', description: 'The board' },
			example: {
				request: { on: true, reason: 'A new cable' },
				response: {
					...board,
					status: 'maintenance',
					status_reason: 'A new cable',
					lease_id: null,
				},
			},
			errors: [
				'invalid_json',
				'origin_refused',
				'admin_required',
				'board_not_found',
				'body_too_large',
				'unsupported_media_type',
			],
		},
	},
};
