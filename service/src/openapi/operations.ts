// The operations of the HTTP API, as the documentation describes them.
import * as contract from 'board-access-contract';
import { boardId, complete, type Description } from 'board-access-http/operation';
import { ownActivityQuery } from '../routes/activity.ts';
import { leaseOperations } from './lease-operations.ts';

const activity =
	'Newest first. Repeats that anybody can cause, such as failed log-ins, are counted in one entry.';

const image = {
	action: 'flash',
	name: 'Application',
	url: 'https://images.example.com/app.bin',
	flash_offset: '0x10000',
};

const descriptions: Record<string, Description> = {
	getAccount: {
		route: 'GET /v1/account',
		summary: 'Get the account and the API key of the request',
		description:
			'Every API key can read this. `held_credits` is how much of `balance` live leases hold, so the difference can be spent. `key` is null with a session cookie.',
		success: [200, 'The account', 'Account'],
	},
	listKeys: {
		route: 'GET /v1/auth/keys',
		summary: 'List the API keys of the account',
		description:
			'Newest first. Revoked keys are omitted unless requested. Keys are deleted 90 days after they were revoked or expired.',
		query: contract.apiKeyQuery,
		success: [200, 'A page of keys', 'ApiKeyPage'],
	},
	createKey: {
		route: 'POST /v1/auth/keys',
		summary: 'Create an API key',
		description:
			'Needs the paid tier, and with a session cookie the password or a code, entered within 15 minutes. The full key is returned only here: the service keeps its hash. A request with a key that expires creates keys that expire with it or earlier. Repeating the request with the same Idempotency-Key replaces a first key that was never used.',
		input: 'ApiKeyInput',
		inputOptional: true,
		repeatable: true,
		example: { label: 'ci' },
		success: [201, 'The key, shown this once', 'CreatedApiKey'],
		errors: ['confirmation_required', 'paid_tier_required', 'idempotency_delivered', 'key_limit'],
	},
	revokeKey: {
		route: 'DELETE /v1/auth/keys/{id}',
		summary: 'Revoke an API key',
		description: 'It stops working at once. Revoking it again returns the same record.',
		query: contract.apiKeyRevocation,
		success: [200, 'The revoked key', 'ApiKey'],
	},
	listBoards: {
		route: 'GET /v1/boards',
		summary: 'List the boards',
		description:
			'`board_type` can be repeated to list boards of several types. `has_agent` lists only boards that an agent drives, or only those that none does. With `wait`, the response is sent once the page differs from the one of `If-None-Match`, or from the present one, or after this many seconds. To wait for a change of several pages, list their tags in `If-None-Match`, at most ten, in the order of the pages: the response is the first of them. With `cursor`, the pages begin there.',
		query: contract.boardQuery,
		notModified: 'The page is the one of `If-None-Match`',
		success: [200, 'A page of boards, by name', 'BoardPage'],
	},
	listActivity: {
		route: 'GET /v1/activity',
		summary: 'List what the account did and what was done to it',
		description: `${activity} Entries about changes that somebody else made do not say who made them or from where.`,
		query: ownActivityQuery,
		success: [200, 'A page of entries', 'ActivityEntryPage'],
	},
	listAllActivity: {
		route: 'GET /v1/admin/activity',
		summary: 'List the activity of every account',
		description: activity,
		query: contract.activityQuery,
		success: [200, 'A page of entries', 'ActivityEntryPage'],
	},
	getBoard: {
		route: 'GET /v1/boards/{id}',
		summary: 'Get a board',
		description:
			'`lease_id` is set for the account that holds the board, and null for others. Without an agent (`has_agent`), the board can be leased, but not flashed or read. `memory` says what firmware has to fit, while an agent that knows it is connected: the flash in the address space, the processor of an ELF file (`machine`) and the chip family of a UF2 file. `keeps_firmware` says whether a lease may begin with the firmware of an earlier lease, because the agent does not erase the board between two leases and its type has no enabled base image; null while no agent drives the board.',
		success: [200, 'The board', 'Board'],
	},
	createBoard: {
		route: 'POST /v1/admin/boards',
		summary: 'Create a board',
		description: '`status` is the status that the board has while no lease holds it.',
		input: 'BoardInput',
		repeatable: true,
		success: [201, 'The board', 'Board'],
		example: { name: 'arduino-uno-01', board_type: 'arduino-uno', tags: { rack: '1' } },
	},
	importBoards: {
		route: 'PUT /v1/admin/boards',
		summary: 'Import boards',
		description:
			'Adds and changes the given boards, all or none; others stay. A board without an `id` is recognized by its name and type. `boards` can also be the text of a JSON or CSV file from `board-access-service boards export`. Listed boards can be sent back, as text too: a status that follows from a lease or an agent (`in_use`, or `offline` with a reason) is not imported. Sending the same request again changes nothing. At most 2,000 boards and 2 MiB.',
		input: 'BoardImport',
		success: [200, 'How many boards were added and changed', 'ImportedBoards'],
		example: { boards: [{ name: 'arduino-uno-02', board_type: 'arduino-uno' }] },
	},
	getBoardAsAdmin: {
		route: 'GET /v1/admin/boards/{id}',
		summary: 'Get a board',
		description: 'The same as `GET /v1/boards/{id}`.',
		success: [200, 'The board', 'Board'],
	},
	updateBoard: {
		route: 'PATCH /v1/admin/boards/{id}',
		summary: 'Change a board',
		description: 'Omitted fields do not change; `tags` is replaced as a whole.',
		input: 'BoardUpdate',
		success: [200, 'The changed board', 'Board'],
		example: { tags: { rack: '2' } },
	},
	retireBoard: {
		route: 'DELETE /v1/admin/boards/{id}',
		summary: 'Retire a board',
		description:
			'Removes a board that no lease holds. Leases that are waiting for this board end with `no_board`; past leases are kept.',
		success: [200, 'The removed board', 'Board'],
		errors: ['board_in_use'],
	},
	setMaintenance: {
		route: 'POST /v1/admin/boards/{id}/maintenance',
		summary: 'Begin or end the maintenance of a board',
		description:
			'No lease is granted on a board in maintenance. A current lease of the board continues until it ends.',
		input: 'MaintenanceInput',
		success: [200, 'The board', 'Board'],
		example: { on: true, reason: 'A new cable' },
	},
	...leaseOperations,
	listAgents: {
		route: 'GET /v1/admin/agents',
		summary: 'List the agents',
		description: 'Revoked agents are omitted.',
		success: [200, 'All agents', 'AgentPage'],
	},
	createAgent: {
		route: 'POST /v1/admin/agents',
		summary: 'Create an agent',
		description:
			'The token is returned only here. A board that another agent drives moves to this one, unless it is in a lease.',
		input: 'AgentInput',
		success: [201, 'The agent and its token', 'CreatedAgent'],
		example: { name: 'Lab 1', board_ids: [boardId.example] },
		errors: ['board_in_use'],
	},
	getAgent: {
		route: 'GET /v1/admin/agents/{id}',
		summary: 'Get an agent',
		success: [200, 'The agent', 'Agent'],
	},
	updateAgent: {
		route: 'PATCH /v1/admin/agents/{id}',
		summary: 'Rename an agent or change its boards',
		description: '`board_ids` replaces the boards of the agent.',
		input: 'AgentUpdate',
		success: [200, 'The changed agent', 'Agent'],
		example: { name: 'Lab 2' },
		errors: ['board_in_use'],
	},
	revokeAgent: {
		route: 'DELETE /v1/admin/agents/{id}',
		summary: 'Revoke an agent',
		description:
			'The token stops working at once, and the leases of its boards end. Revoking it again returns the same record.',
		success: [200, 'The revoked agent', 'Agent'],
	},
	listBaseImages: {
		route: 'GET /v1/admin/base-images',
		summary: 'List the base images',
		description: 'Grouped by board type, each in order.',
		query: contract.baseImageQuery,
		success: [200, 'A page of base images', 'BaseImagePage'],
	},
	replaceBaseImages: {
		route: 'PUT /v1/admin/base-images',
		summary: 'Replace the base images of a board type',
		description:
			'Adds, changes and removes entries in one transaction, so that the board type has exactly the given ones. Entries are matched by name and action. With `dry_run` nothing is changed. Sending the same request again changes nothing.',
		input: 'BaseImageSet',
		example: { board_type: 'esp32-s3', images: [image], dry_run: true },
		success: [200, 'What changed', 'BaseImagePlan'],
	},
	createBaseImage: {
		route: 'POST /v1/admin/base-images',
		summary: 'Create a base image',
		description:
			'`flash` needs `url`. Without a position, the entry is added after the last one of its board type. The service always assigns `id` and `created_at`.',
		input: 'BaseImageInput',
		repeatable: true,
		example: { board_type: 'esp32-s3', ...image },
		success: [201, 'The base image', 'BaseImage'],
	},
	getBaseImage: {
		route: 'GET /v1/admin/base-images/{id}',
		summary: 'Get a base image',
		success: [200, 'The base image', 'BaseImage'],
	},
	updateBaseImage: {
		route: 'PATCH /v1/admin/base-images/{id}',
		summary: 'Change a base image',
		description: 'Omitted fields do not change.',
		input: 'BaseImageUpdate',
		example: { enabled: false },
		success: [200, 'The changed base image', 'BaseImage'],
	},
	deleteBaseImage: {
		route: 'DELETE /v1/admin/base-images/{id}',
		summary: 'Delete a base image',
		success: [200, 'The deleted base image', 'BaseImage'],
	},
};

export const operations = Object.entries(descriptions).map(complete);
