// What the documentation says about each operation.
import type { OperationName } from 'board-access-contract/operations';
import { boardId, type Text } from 'board-access-http/operation';
import { leaseTexts } from './lease-texts.ts';

const activity =
	'Newest first. Repeats that anybody can cause, such as failed log-ins, are counted in one entry.';

const image = {
	action: 'flash',
	name: 'Application',
	url: 'https://images.example.com/app.bin',
	flash_offset: '0x10000',
};

export const texts: Record<OperationName, Text> = {
	getAccount: {
		summary: 'Get the account and the API key of the request',
		description:
			'Every API key can read this. `held_credits` is how much of `balance` live leases hold, so the difference can be spent. `key` is null with a session cookie.',
		success: 'The account',
	},
	listKeys: {
		summary: 'List the API keys of the account',
		description:
			'Newest first. Revoked keys are omitted unless requested. Keys are deleted 90 days after they were revoked or expired.',
		success: 'A page of keys',
	},
	createKey: {
		summary: 'Create an API key',
		description:
			'Needs the paid tier, and with a session cookie the password or a code, entered within 15 minutes. The full key is returned only here: the service keeps its hash. A request with a key that expires creates keys that expire with it or earlier. Repeating the request with the same Idempotency-Key replaces a first key that was never used.',
		example: { label: 'ci' },
		success: 'The key, shown this once',
	},
	revokeKey: {
		summary: 'Revoke an API key',
		description: 'It stops working at once. Revoking it again returns the same record.',
		success: 'The revoked key',
	},
	listBoards: {
		summary: 'List the boards',
		description:
			'`board_type` can be repeated to list boards of several types. `has_agent` lists only boards that an agent drives, or only those that none does. With `wait`, the response is sent once the page differs from the one of `If-None-Match`, or from the present one, or after this many seconds. To wait for a change of several pages, list their tags in `If-None-Match`, at most ten, in the order of the pages: the response is the first of them. With `cursor`, the pages begin there.',
		notModified: 'The page is the one of `If-None-Match`',
		success: 'A page of boards, by name',
	},
	listActivity: {
		summary: 'List what the account did and what was done to it',
		description: `${activity} Entries about changes that somebody else made do not say who made them or from where.`,
		success: 'A page of entries',
	},
	listAllActivity: {
		summary: 'List the activity of every account',
		description: activity,
		success: 'A page of entries',
	},
	getBoard: {
		summary: 'Get a board',
		description:
			'`lease_id` is set for the account that holds the board, and null for others. Without an agent (`has_agent`), the board can be leased, but not flashed or read. `memory` says what firmware has to fit, while an agent that knows it is connected: the flash in the address space, the processor of an ELF file (`machine`) and the chip family of a UF2 file. `keeps_firmware` says whether a lease may begin with the firmware of an earlier lease, because the agent does not erase the board between two leases and its type has no enabled base image; null while no agent drives the board.',
		success: 'The board',
	},
	createBoard: {
		summary: 'Create a board',
		description: '`status` is the status that the board has while no lease holds it.',
		success: 'The board',
		example: { name: 'arduino-uno-01', board_type: 'arduino-uno', tags: { rack: '1' } },
	},
	importBoards: {
		summary: 'Import boards',
		description:
			'Adds and changes the given boards, all or none; others stay. A board without an `id` is recognized by its name and type. `boards` can also be the text of a JSON or CSV file from `board-access-service boards export`. Listed boards can be sent back, as text too: a status that follows from a lease or an agent (`in_use`, or `offline` with a reason) is not imported. Sending the same request again changes nothing. At most 2,000 boards and 2 MiB.',
		success: 'How many boards were added and changed',
		example: { boards: [{ name: 'arduino-uno-02', board_type: 'arduino-uno' }] },
	},
	getBoardAsAdmin: {
		summary: 'Get a board',
		description: 'The same as `GET /v1/boards/{id}`.',
		success: 'The board',
	},
	updateBoard: {
		summary: 'Change a board',
		description: 'Omitted fields do not change; `tags` is replaced as a whole.',
		success: 'The changed board',
		example: { tags: { rack: '2' } },
	},
	retireBoard: {
		summary: 'Retire a board',
		description:
			'Removes a board that no lease holds. Leases that are waiting for this board end with `no_board`; past leases are kept.',
		success: 'The removed board',
	},
	setMaintenance: {
		summary: 'Begin or end the maintenance of a board',
		description:
			'No lease is granted on a board in maintenance. A current lease of the board continues until it ends.',
		success: 'The board',
		example: { on: true, reason: 'A new cable' },
	},
	...leaseTexts,
	listAgents: {
		summary: 'List the agents',
		description: 'Revoked agents are omitted.',
		success: 'All agents',
	},
	createAgent: {
		summary: 'Create an agent',
		description:
			'The token is returned only here. A board that another agent drives moves to this one, unless it is in a lease.',
		success: 'The agent and its token',
		example: { name: 'Lab 1', board_ids: [boardId.example] },
	},
	getAgent: {
		summary: 'Get an agent',
		success: 'The agent',
	},
	updateAgent: {
		summary: 'Rename an agent or change its boards',
		description: '`board_ids` replaces the boards of the agent.',
		success: 'The changed agent',
		example: { name: 'Lab 2' },
	},
	rotateAgentToken: {
		summary: 'Replace the token of an agent',
		description:
			'The new token is returned only here. The old one works until the agent has connected with the new one, for at most 24 hours. The leases of its boards continue.',
		success: 'The agent and its new token',
	},
	revokeAgent: {
		summary: 'Revoke an agent',
		description:
			'The token stops working at once, and the leases of its boards end. Revoking it again returns the same record.',
		success: 'The revoked agent',
	},
	listBaseImages: {
		summary: 'List the base images',
		description: 'Grouped by board type, each in order.',
		success: 'A page of base images',
	},
	replaceBaseImages: {
		summary: 'Replace the base images of a board type',
		description:
			'Adds, changes and removes entries in one transaction, so that the board type has exactly the given ones. Entries are matched by name and action. With `dry_run` nothing is changed. Sending the same request again changes nothing.',
		example: { board_type: 'esp32-s3', images: [image], dry_run: true },
		success: 'What changed',
	},
	createBaseImage: {
		summary: 'Create a base image',
		description:
			'`flash` needs `url`. Without a position, the entry is added after the last one of its board type. The service always assigns `id` and `created_at`.',
		example: { board_type: 'esp32-s3', ...image },
		success: 'The base image',
	},
	getBaseImage: {
		summary: 'Get a base image',
		success: 'The base image',
	},
	updateBaseImage: {
		summary: 'Change a base image',
		description: 'Omitted fields do not change.',
		example: { enabled: false },
		success: 'The changed base image',
	},
	deleteBaseImage: {
		summary: 'Delete a base image',
		success: 'The deleted base image',
	},
};
