// The operations on agents, and on the boards of leases.
import {
	consoleInputQuery,
	consoleQuery,
	type ErrorCode,
	fileQuery,
	leaseActionQuery,
} from 'board-access-contract';
import {
	creation,
	idempotencyKey,
	inPath,
	leaseId,
	type Operation,
	repeatable,
} from './operation.ts';

const actionId = inPath(
	'action_id',
	'The identifier of the action.',
	'act_4f1b2c3d4e5f60718293a4b5',
);

const agentId = inPath(
	'id',
	'The identifier of the agent, not its token.',
	'agt_0123456789abcdef01234567',
);

const action = {
	id: actionId.example,
	action: 'flash',
	phase: 'use',
	name: null,
	status: 'done',
	message: '',
	console_offset: 214,
	created_at: '2026-01-02T03:04:07.890Z',
	ended_at: '2026-01-02T03:04:09.012Z',
};

const agent = {
	id: agentId.example,
	name: 'Lab 1',
	hint: 'agt_1a2b…9f0e',
	online: true,
	board_ids: ['brd_arduino-uno-01'],
	created_at: '2026-01-02T03:04:05.678Z',
	last_seen_at: '2026-01-02T03:04:06.789Z',
	revoked_at: null,
};

/** The errors of every operation on a board. */
const use: ErrorCode[] = [
	'origin_refused',
	'body_too_large',
	'unsupported_media_type',
	'lease_not_found',
	'lease_not_active',
	'lease_ended',
	'board_has_no_agent',
];

const change: ErrorCode[] = [...creation.filter((code) => !code.startsWith('idempotency'))];

export const linkOperations: Record<string, Record<string, Operation>> = {
	'/v1/leases/{id}/actions': {
		get: {
			operationId: 'listActions',
			summary: 'List the actions of a lease',
			description: 'In order, including those of the preparation.',
			tag: 'Leases',
			parameters: [leaseId],
			success: { status: 200, schema: 'LeaseActionPage', description: 'All actions' },
			example: { response: { data: [action], next_cursor: null } },
			errors: ['lease_not_found'],
		},
		post: {
			operationId: 'createAction',
			summary: 'Flash, erase, reset or switch a board',
			description:
				'The agent of the board carries out the actions of a lease one after the other. `flash` needs the `file_id` of a file of the lease; `flash_offset` is for raw files, which have to fit the board there.',
			tag: 'Leases',
			parameters: [leaseId, idempotencyKey],
			input: { schema: 'LeaseActionInput', required: true },
			success: { status: 202, schema: 'LeaseAction', description: 'The action, queued' },
			example: {
				request: { action: 'flash', file_id: 'fil_4f1b2c3d4e5f60718293a4b5' },
				response: { ...action, status: 'queued', console_offset: null, ended_at: null },
			},
			errors: [
				...use,
				...repeatable,
				'invalid_json',
				'file_not_found',
				'invalid_firmware',
				'lease_limit',
			],
		},
	},
	'/v1/leases/{id}/actions/{action_id}': {
		get: {
			operationId: 'getAction',
			summary: 'Get an action',
			description: 'With `wait`, responds once the action has ended, or after this many seconds.',
			tag: 'Leases',
			parameters: [leaseId, actionId],
			query: leaseActionQuery,
			success: { status: 200, schema: 'LeaseAction', description: 'The action' },
			example: { response: action },
			errors: ['lease_not_found', 'action_not_found'],
		},
	},
	'/v1/leases/{id}/files': {
		post: {
			operationId: 'uploadFile',
			summary: 'Upload firmware for a lease',
			description:
				'Intel HEX, UF2 or ELF, or with `raw=true` any bytes, at most 16 MiB. A file that is invalid or not for this board is rejected with the position or the address. A lease has at most 32 files and 64 MiB in all.',
			tag: 'Leases',
			parameters: [leaseId, idempotencyKey],
			query: fileQuery,
			input: {
				schema: 'Bytes',
				required: true,
				type: 'application/octet-stream',
				file: 'firmware.hex',
			},
			success: { status: 201, schema: 'FirmwareFile', description: 'The file' },
			example: {
				response: {
					id: 'fil_4f1b2c3d4e5f60718293a4b5',
					size: 1234,
					sha256: '0'.repeat(64),
					format: 'hex',
				},
			},
			errors: [...use, ...repeatable, 'invalid_firmware', 'lease_limit'],
		},
	},
	'/v1/leases/{id}/console': {
		get: {
			operationId: 'readConsole',
			summary: 'Read the console of a lease',
			description:
				'An endless response: the bytes from an offset on, until the lease has ended or the service stops. At most 1 MiB is kept, for 24 hours after the lease. Where older bytes are missing, the body begins with a mark in the place of the last of them, unless they are fewer bytes than the mark; `X-Console-Offset` is the offset of the first byte of the body; add the number of bytes received to get the next offset. `X-Console-End` is where the console ended when it was opened. `X-Agent-Connected` says whether the agent of the board is connected. As `text/event-stream`: `output` events with `offset` and `data` in base64, `dropped` with the number of missing `bytes`, and `end` with the reason; the id of an event is the next offset. After a raw response has ended, read the lease to see whether the lease has ended too. An account can read a limited number of consoles at a time, 100 by default; more are refused with 429 `rate_limited`.',
			tag: 'Leases',
			parameters: [leaseId],
			query: consoleQuery,
			success: {
				status: 200,
				schema: 'Bytes',
				types: ['application/octet-stream', 'text/event-stream'],
				description: 'The console output as it is produced',
			},
			errors: ['lease_not_found', 'lease_not_active', 'board_has_no_agent'],
		},
		post: {
			operationId: 'writeConsole',
			summary: 'Write to the console of a lease',
			description:
				'At most 4 KiB at a time. It has its own limit and does not count as a request of the key. `X-Console-Offset` is the offset of the input that follows. A request with that `offset` can be retried: bytes that are stored there already are not written again. If others have written there in between, nothing is written, and 409 `console_gap` names the next offset in `param`; with `retry=false`, this is also so if they wrote the same. A retry with the `piece` of its first attempt, a random name, is told apart from the same input of others. Without `param`, the bytes at that offset are no longer kept, and the input may have been written already. With an `Idempotency-Key`, a request can be retried without an offset, too. While more than 64 KiB wait for the board, nothing is written: 409 `console_input_full`.',
			tag: 'Leases',
			parameters: [leaseId, idempotencyKey],
			query: consoleInputQuery,
			input: { schema: 'Bytes', required: true, type: 'application/octet-stream' },
			success: { status: 204, description: 'The board receives it' },
			example: { request: 'help\r' },
			errors: [...use, ...repeatable, 'console_gap', 'console_input_full'],
		},
	},
	'/v1/admin/agents': {
		get: {
			operationId: 'listAgents',
			summary: 'List the agents',
			description: 'For administrators. Revoked agents are omitted.',
			tag: 'Agents',
			success: { status: 200, schema: 'AgentPage', description: 'All agents' },
			example: { response: { data: [agent], next_cursor: null } },
			errors: ['admin_required'],
		},
		post: {
			operationId: 'createAgent',
			summary: 'Create an agent',
			description:
				'For administrators; with a session cookie, the password must have been entered within 15 minutes. The token is returned only here. A board that another agent drives moves to this one, unless it is in a lease.',
			tag: 'Agents',
			input: { schema: 'AgentInput', required: true },
			success: { status: 201, schema: 'CreatedAgent', description: 'The agent and its token' },
			example: {
				request: { name: 'Lab 1', board_ids: ['brd_arduino-uno-01'] },
				response: { ...agent, online: false, token: 'agt_…' },
			},
			errors: [...change, 'admin_required', 'password_required', 'board_in_use'],
		},
	},
	'/v1/admin/agents/{id}': {
		get: {
			operationId: 'getAgent',
			summary: 'Get an agent',
			description: 'For administrators.',
			tag: 'Agents',
			parameters: [agentId],
			success: { status: 200, schema: 'Agent', description: 'The agent' },
			example: { response: agent },
			errors: ['admin_required', 'secret_in_path', 'agent_not_found'],
		},
		patch: {
			operationId: 'updateAgent',
			summary: 'Rename an agent or change its boards',
			description: 'For administrators. `board_ids` replaces the boards of the agent.',
			tag: 'Agents',
			parameters: [agentId],
			input: { schema: 'AgentUpdate', required: true },
			success: { status: 200, schema: 'Agent', description: 'The changed agent' },
			example: { request: { name: 'Lab 2' }, response: { ...agent, name: 'Lab 2' } },
			errors: [...change, 'admin_required', 'secret_in_path', 'agent_not_found', 'board_in_use'],
		},
		delete: {
			operationId: 'revokeAgent',
			summary: 'Revoke an agent',
			description:
				'For administrators. The token stops working at once, and the leases of its boards end. Revoking it again returns the same record.',
			tag: 'Agents',
			parameters: [agentId],
			success: { status: 200, schema: 'Agent', description: 'The revoked agent' },
			example: { response: { ...agent, online: false, revoked_at: '2026-01-02T04:05:06.789Z' } },
			errors: ['origin_refused', 'admin_required', 'secret_in_path', 'agent_not_found'],
		},
	},
};
