// The operations on leases and their boards.
import * as contract from 'board-access-contract';
import type { Description } from 'board-access-http/operation';

const unusable = ['lease_not_active', 'lease_ended', 'board_has_no_agent'] as const;

export const leaseOperations: Record<string, Description> = {
	listLeases: {
		route: 'GET /v1/leases',
		summary: 'List the leases of the account',
		description:
			'Newest first, including those that have ended. With `wait`, the response is sent within a second after the page differs from the one of `If-None-Match`, or from the present one, or after this many seconds. That `expires_in_ms` passes is no difference. `If-None-Match` can have the tags of up to ten pages, in their order.',
		query: contract.ownLeasesQuery,
		notModified: 'With `wait`: the page is the one of `If-None-Match`, but for `expires_in_ms`',
		success: [200, 'A page of leases', 'LeasePage'],
	},
	createLease: {
		route: 'POST /v1/leases',
		summary: 'Lease a board',
		description:
			'Leases any board of a type, or a specific board. If none is available, the lease waits `wait_seconds` in the queue; accounts with the fewest boards come first. It ends `minutes` after it became active unless it is renewed; with `heartbeat`, it also has to be renewed within `minutes` before. Credits are held for its full duration and booked when it ends, for each started minute in which it was active. A board without an agent can be leased, but not flashed or read; with `requires_agent`, only boards with an agent are leased, and the response is 409 `board_has_no_agent` if there are none.',
		input: 'LeaseInput',
		repeatable: true,
		success: [201, 'The lease, queued or granted', 'Lease'],
		example: { board_type: 'arduino-uno', minutes: 10, wait_seconds: 600, label: 'nightly' },
		errors: [
			...(['credits_exhausted', 'board_not_found', 'board_type_not_found'] as const),
			...(['no_board_available', 'board_has_no_agent', 'lease_limit'] as const),
		],
	},
	getLease: {
		route: 'GET /v1/leases/{id}',
		summary: 'Get a lease',
		description:
			'Also one that is shared with the account, and for administrators every one: `access` says what the account may do with it, and `holder_email` whose it is if it belongs to another account. With `wait`, responds once the status differs from `status`, or once the console of the board of an active lease is lost or back, or after this many seconds.',
		query: contract.leaseQuery,
		success: [200, 'The lease', 'Lease'],
	},
	releaseLease: {
		route: 'DELETE /v1/leases/{id}',
		summary: 'Release a lease',
		description:
			'The board is available to others at once. A lease that has already ended is returned unchanged.',
		success: [200, 'The ended lease', 'Lease'],
	},
	renewLease: {
		route: 'POST /v1/leases/{id}/renew',
		summary: 'Renew a lease',
		description:
			'The lease ends this many minutes from now, but not after the maximum duration that the service allows. A renewal never shortens a lease; at `latest_expires_at`, it gains nothing. One that is not active yet keeps its minutes: its heartbeat is moved, if it has one.',
		input: 'LeaseRenewal',
		repeatable: true,
		success: [200, 'The renewed lease', 'RenewedLease'],
		example: { minutes: 10 },
		errors: ['credits_exhausted', 'lease_ended'],
	},
	listShares: {
		route: 'GET /v1/leases/{id}/shares',
		summary: 'List with whom a lease is shared',
		description: 'For the holder of the lease. All at once, by email address.',
		success: [200, 'The shares', 'LeaseSharePage'],
	},
	shareLease: {
		route: 'PUT /v1/leases/{id}/shares',
		summary: 'Share a lease with a colleague',
		description:
			'For the holder of the lease. Whoever has verified the email address in their account can then `look`: read the lease, its actions and its console. With `type`, they can also write to the console, reset the board and drive its pins. The lease is not in their list without `shared=true`, and it costs them nothing. Every change of a share is in the activity of the holder. The response is the same whether or not there is such an account. A lease is shared with at most 20 addresses, and an account shares at most 50 leases with one address: 409 `share_limit`. What is shared can be read as long as the console is kept.',
		input: 'LeaseShareInput',
		repeatable: true,
		success: [200, 'The share', 'LeaseShare'],
		example: { email: 'ada@example.com', access: 'look' },
		errors: ['lease_ended', 'share_limit'],
	},
	unshareLease: {
		route: 'POST /v1/leases/{id}/shares/remove',
		summary: 'Stop sharing a lease',
		description:
			'For the holder of the lease. The next request from there is rejected, what it has requested fails unless it has begun, and a console that is open ends: within a second while the board prints, within 15 seconds while it does not. An address with which the lease is not shared is no error.',
		input: 'LeaseShareRemoval',
		repeatable: true,
		success: [204, 'It is not shared with this address'],
		example: { email: 'ada@example.com' },
	},
	leaveLease: {
		route: 'DELETE /v1/leases/{id}/shares/own',
		summary: 'Leave a lease',
		description:
			'For an account with which the lease is shared: it is shared with the account no longer. The activity of its holder says so. The holder can share it again.',
		success: [204, 'It is not shared with the account'],
	},
	syncConsole: {
		route: 'POST /v1/leases/{id}/console/sync',
		summary: 'Wait for all console output until now',
		description:
			'Responds once the agent of the board has sent all output that it had read, within 5 seconds. If it has not, the `console_status` of the response is `disconnected`: nobody knows what the board shows. Read the console afterwards to say that something was not shown. Without an active lease or a console, it responds at once.',
		success: [200, 'The lease', 'Lease'],
		errors: ['board_has_no_agent'],
	},
	listAllLeases: {
		route: 'GET /v1/admin/leases',
		summary: 'List the leases of every account',
		description: 'Newest first, including those that have ended.',
		query: contract.leaseListQuery,
		success: [200, 'A page of leases', 'AdminLeasePage'],
	},
	endLease: {
		route: 'DELETE /v1/admin/leases/{id}',
		summary: 'End a lease of any account',
		description: 'A lease that has already ended is returned unchanged.',
		success: [200, 'The ended lease', 'AdminLease'],
	},
	listActions: {
		route: 'GET /v1/leases/{id}/actions',
		summary: 'List the actions of a lease',
		description:
			'In order, including those of the preparation. Kept for 24 hours after the lease. `requested_by` is the address of the colleague who requested an action, for the holder and for administrators; otherwise null.',
		query: contract.listQuery,
		success: [200, 'A page of actions', 'LeaseActionPage'],
	},
	createAction: {
		route: 'POST /v1/leases/{id}/actions',
		summary: 'Flash, erase, reset or switch a board',
		description:
			'The agent of the board carries out the actions of a lease one after the other. `flash` needs the `file_id` of a file of the lease, and can have the `name` of what is flashed, for people; `flash_offset` is for raw files, which have to fit the board there. A lease has at most 16 actions that have not ended, and 1,000 in all: 409 `lease_limit`. Of these, at most 2 and 500 are by others than its holder.',
		input: 'LeaseActionInput',
		repeatable: true,
		success: [202, 'The action, queued', 'LeaseAction'],
		example: { action: 'flash', file_id: 'fil_4f1b2c3d4e5f60718293a4b5' },
		errors: [...unusable, 'file_not_found', 'invalid_firmware', 'lease_limit'],
	},
	getAction: {
		route: 'GET /v1/leases/{id}/actions/{action_id}',
		summary: 'Get an action',
		description:
			'With `wait`, responds once the action has ended, or after this many seconds. `progress` is how much of the firmware is written, in percent, as the flash tool of the agent prints it; null if it prints no percentages.',
		query: contract.leaseActionQuery,
		success: [200, 'The action', 'LeaseAction'],
		errors: ['action_not_found'],
	},
	drivePin: {
		route: 'POST /v1/leases/{id}/pins',
		summary: 'Drive a pin of an emulated board',
		description:
			'Puts a voltage on a pin from outside, as a button or a potentiometer does, until it is changed or the lease ends; null lets the pin go. The highest voltage is that of the board. It has the limit of console input and does not count as a request of the key.',
		input: 'PinInput',
		repeatable: true,
		success: [200, 'The voltages of all pins that are driven', 'LeasePins'],
		example: { pin: 'D2', volts: 0 },
		errors: [...unusable],
	},
	uploadFile: {
		route: 'POST /v1/leases/{id}/files',
		summary: 'Upload firmware for a lease',
		description:
			'Intel HEX, UF2 or ELF, or with `raw=true` any bytes, at most 16 MiB. A file that is invalid or not for this board is rejected with the position or the address. A lease has at most 32 files; an equal file is returned again. The live leases of an account have a limited number of bytes together, 256 MiB by default, of which equal files count once: more are rejected with 409 `storage_limit`. Files are deleted within minutes after the lease.',
		query: contract.fileQuery,
		input: 'Bytes',
		file: 'firmware.hex',
		repeatable: true,
		success: [201, 'The file', 'FirmwareFile'],
		errors: [...unusable, 'invalid_firmware', 'lease_limit', 'storage_limit'],
	},
	readConsole: {
		route: 'GET /v1/leases/{id}/console',
		summary: 'Read the console of a lease',
		description:
			'An endless response: the bytes from an offset on, until the lease has ended or the service stops. At most 1 MiB is kept, for 24 hours after the lease. Where older bytes are missing, the body begins with a mark in the place of the last of them, unless they are fewer bytes than the mark; `X-Console-Offset` is the offset of the first byte of the body; add the number of bytes received to get the next offset. `X-Console-End` is where the console ended when it was opened. `X-Agent-Connected` says whether the agent of the board is connected. As `text/event-stream`: `output` events with `offset` and `data` in base64, `dropped` with the number of missing `bytes`, and `end` with the reason; the id of an event is the next offset. After a raw response has ended, read the lease to see whether the lease has ended too. An account can read a limited number of consoles at a time, 100 by default; more are rejected with 429 `rate_limited`.',
		query: contract.consoleQuery,
		success: [200, 'The console output as it is produced', 'Bytes'],
		types: ['application/octet-stream', 'text/event-stream'],
		errors: ['lease_not_active', 'board_has_no_agent'],
	},
	writeConsole: {
		route: 'POST /v1/leases/{id}/console',
		summary: 'Write to the console of a lease',
		description:
			'At most 4 KiB at a time. It has its own limit and does not count as a request of the key. `X-Console-Offset` is the offset of the input that follows. A request with that `offset` can be retried: bytes that are stored there already are not written again. If others have written there in between, nothing is written, and 409 `console_gap` names the next offset in `param`. A retry with the `piece` of its first attempt, a random name, is told apart from the same input of others. Without `param`, the bytes at that offset are no longer kept, and the input may have been written already. With an `Idempotency-Key`, a request can be retried without an offset, too. While more than 64 KiB wait for the board, nothing is written: 409 `console_input_full`.',
		query: contract.consoleInputQuery,
		input: 'Bytes',
		repeatable: true,
		success: [204, 'The board receives it'],
		example: 'help\r',
		errors: [...unusable, 'console_gap', 'console_input_full'],
	},
};
