// What the documentation says about the operations on leases and their boards.
import type { OperationName } from 'board-access-contract/operations';
import type { Text } from 'board-access-http/operation';

export const leaseTexts = {
	listLeases: {
		summary: 'List the leases of the account',
		description:
			'Newest first, including those that have ended. With `wait`, the response is sent within a second after the page differs from the one of `If-None-Match`, or from the present one, or after this many seconds. That `expires_in_ms` passes is no difference. `If-None-Match` can have the tags of up to ten pages, in their order.',
		notModified: 'With `wait`: the page is the one of `If-None-Match`, but for `expires_in_ms`',
		success: 'A page of leases',
	},
	createLease: {
		summary: 'Lease a board',
		description:
			'Leases any board of a type, or a specific board. If none is available, the lease waits `wait_seconds` in the queue; accounts with the fewest boards come first. It ends `minutes` after it became active unless it is renewed; with `heartbeat`, it also has to be renewed within `minutes` before. Credits are held for its full duration and booked when it ends, for each started minute in which it was active. A board without an agent can be leased, but not flashed or read; with `requires_agent`, only boards with an agent are leased, and the response is 409 `board_has_no_agent` if there are none.',
		success: 'The lease, queued or granted',
		example: { board_type: 'arduino-uno', minutes: 10, wait_seconds: 600, label: 'nightly' },
	},
	createLeaseGroup: {
		summary: 'Lease several boards together',
		description:
			'Leases a board for each role: all of them at once, or none. The leases of a group wait, become active, are renewed and end together: a request about one of them is about all, and if a board is lost or cannot be prepared, all wait again or all end. With `same_tag`, all boards have the same value of this tag, such as the boards of one bench. The price of each board is at most what the credits allow for all of them.',
		success: 'The leases, queued or granted, in the order of their roles',
		example: {
			boards: {
				dut: { board_type: 'rp2040-pico', tags: { driver: 'emulated' } },
				peer: { board_type: 'arduino-uno' },
			},
			wait_seconds: 600,
		},
	},
	getLease: {
		summary: 'Get a lease',
		description:
			'Also one that is shared with the account, and for administrators every one: `access` says what the account may do with it, and `holder_email` whose it is if it belongs to another account. With `wait`, responds once the status differs from `status`, or once the console of the board of an active lease is lost or back, or after this many seconds.',
		success: 'The lease',
	},
	releaseLease: {
		summary: 'Release a lease',
		description:
			'The board is available to others at once. A lease that has already ended is returned unchanged.',
		success: 'The ended lease',
	},
	renewLease: {
		summary: 'Renew a lease',
		description:
			'The lease ends this many minutes from now, but not after the maximum duration that the service allows. A renewal never shortens a lease; at `latest_expires_at`, it gains nothing. One that is not active yet keeps its minutes: its heartbeat is moved, if it has one.',
		success: 'The renewed lease',
		example: { minutes: 10 },
	},
	listShares: {
		summary: 'List with whom a lease is shared',
		description: 'For the holder of the lease. All at once, by email address.',
		success: 'The shares',
	},
	shareLease: {
		summary: 'Share a lease with a colleague',
		description:
			'For the holder of the lease. Whoever has verified the email address in their account can then `look`: read the lease, its actions and its console. With `type`, they can also write to the console, reset the board and drive its pins. The lease is not in their list without `shared=true`, and it costs them nothing. Every change of a share is in the activity of the holder. The response is the same whether or not there is such an account. A lease is shared with at most 20 addresses, and an account shares at most 50 leases with one address: 409 `share_limit`. What is shared can be read as long as the console is kept.',
		success: 'The share',
		example: { email: 'ada@example.com', access: 'look' },
	},
	unshareLease: {
		summary: 'Stop sharing a lease',
		description:
			'For the holder of the lease. The next request from there is rejected, what it has requested fails unless it has begun, and a console that is open ends: within a second while the board prints, within 15 seconds while it does not. An address with which the lease is not shared is no error.',
		success: 'It is not shared with this address',
		example: { email: 'ada@example.com' },
	},
	leaveLease: {
		summary: 'Leave a lease',
		description:
			'For an account with which the lease is shared: it is shared with the account no longer. The activity of its holder says so. The holder can share it again.',
		success: 'It is not shared with the account',
	},
	syncConsole: {
		summary: 'Wait for all console output until now',
		description:
			'Responds once the agent of the board has sent all output that it had read, within 5 seconds. If it has not, the `console_status` of the response is `disconnected`: nobody knows what the board shows. Read the console afterwards to say that something was not shown. Without an active lease or a console, it responds at once.',
		success: 'The lease',
	},
	listAllLeases: {
		summary: 'List the leases of every account',
		description: 'Newest first, including those that have ended.',
		success: 'A page of leases',
	},
	endLease: {
		summary: 'End a lease of any account',
		description: 'A lease that has already ended is returned unchanged.',
		success: 'The ended lease',
	},
	listActions: {
		summary: 'List the actions of a lease',
		description:
			'In order, including those of the preparation. Kept for 24 hours after the lease. `requested_by` is the address of the colleague who requested an action, for the holder and for administrators; otherwise null.',
		success: 'A page of actions',
	},
	createAction: {
		summary: 'Flash, erase, reset or switch a board',
		description:
			'The agent of the board carries out the actions of a lease one after the other. `flash` needs the `file_id` of a file of the lease, and can have the `name` of what is flashed, for people; `flash_offset` is for raw files, which have to fit the board there. A lease has at most 16 actions that have not ended, and 1,000 in all: 409 `lease_limit`. Of these, at most 2 and 500 are by others than its holder.',
		success: 'The action, queued',
		example: { action: 'flash', file_id: 'fil_4f1b2c3d4e5f60718293a4b5' },
	},
	getAction: {
		summary: 'Get an action',
		description:
			'With `wait`, responds once the action has ended, or after this many seconds. `progress` is how much of the firmware is written, in percent, as the flash tool of the agent prints it; null if it prints no percentages.',
		success: 'The action',
	},
	drivePin: {
		summary: 'Drive a pin of an emulated board',
		description:
			'Puts a voltage on a pin from outside, as a button or a potentiometer does, until it is changed or the lease ends; null lets the pin go. The highest voltage is that of the board. It has the limit of console input and does not count as a request of the key.',
		success: 'The voltages of all pins that are driven',
		example: { pin: 'D2', volts: 0 },
	},
	openChannel: {
		summary: 'Open a channel to a port of the board',
		description:
			'A channel carries bytes both ways between a tool of the user and the board, in order and once: `serial` to a serial port, by default that of the console, or `debug` to a debugger that speaks the remote protocol of GDB. The ticket opens one connection within 30 seconds: a WebSocket at `/v1/channels/{id}` whose first message is a frame with the ticket or, where a network blocks these, `GET` and `POST` of the same address with `Authorization: Ticket …`. The guide “Use your own tools” describes the frames. A channel that has lost its connection goes on with another ticket for its `channel_id` within 15 seconds. It ends with the lease, the share and the credential, and counts as a console stream; a lease has at most 16. Needs the right to type.',
		success: 'The channel and a ticket',
		example: { kind: 'serial' },
	},
	uploadFile: {
		summary: 'Upload firmware for a lease',
		description:
			'Intel HEX, UF2 or ELF, or with `raw=true` any bytes, at most 16 MiB. A file that is invalid or not for this board is rejected with the position or the address. A lease has at most 32 files; an equal file is returned again. The live leases of an account have a limited number of bytes together, 256 MiB by default, of which equal files count once: more are rejected with 409 `storage_limit`. Files are deleted within minutes after the lease.',
		file: 'firmware.hex',
		success: 'The file',
	},
	readConsole: {
		summary: 'Read the console of a lease',
		description:
			'An endless response: the bytes from an offset on, until the lease has ended or the service stops. At most 1 MiB is kept, for 24 hours after the lease. Where older bytes are missing, the body begins with a mark in the place of the last of them, unless they are fewer bytes than the mark; `X-Console-Offset` is the offset of the first byte of the body; add the number of bytes received to get the next offset. `X-Console-End` is where the console ended when it was opened. `X-Agent-Connected` says whether the agent of the board is connected. After the response has ended, read the lease to see whether the lease has ended too. An account can read a limited number of consoles at a time, 100 by default; more are rejected with 429 `rate_limited`.',
		success: 'The console output as it is produced',
	},
	writeConsole: {
		summary: 'Write to the console of a lease',
		description:
			'At most 4 KiB at a time. It has its own limit and does not count as a request of the key. `X-Console-Offset` is the offset of the input that follows. A request with that `offset` can be retried: bytes that are stored there already are not written again. If others have written there in between, nothing is written, and 409 `console_gap` names the next offset in `param`. A retry with the `piece` of its first attempt, a random name, is told apart from the same input of others. Without `param`, the bytes at that offset are no longer kept, and the input may have been written already. With an `Idempotency-Key`, a request can be retried without an offset, too. While more than 64 KiB wait for the board, nothing is written: 409 `console_input_full`.',
		success: 'The board receives it',
		example: 'help\r',
	},
} satisfies Partial<Record<OperationName, Text>>;
