// The operations on leases.
import { type ErrorCode, leaseListQuery, leaseQuery } from 'board-access-contract';
import { creation, idempotencyKey, leaseId, type Operation, repeatable } from './operation.ts';

const active = {
	id: leaseId.example,
	status: 'active',
	board_id: 'brd_arduino-uno-01',
	board_type: 'arduino-uno',
	label: 'nightly',
	queue_position: null,
	minutes: 10,
	created_at: '2026-01-02T03:04:05.678Z',
	started_at: '2026-01-02T03:04:06.789Z',
	expires_at: '2026-01-02T03:14:06.789Z',
	expires_in_ms: 600_000,
	preparation_expires_at: null,
	ended_at: null,
	end_reason: null,
	end_message: null,
	credits: null,
	console_status: 'connected',
	console_message: null,
	console_lost_at: null,
	console_gap_offset: null,
	console_gap_ms: null,
};

const ended = {
	...active,
	status: 'ended',
	expires_in_ms: null,
	ended_at: '2026-01-02T03:06:05.678Z',
	end_reason: 'released',
	end_message: 'The lease was released.',
	credits: 2,
};

const change: ErrorCode[] = [
	'invalid_json',
	'origin_refused',
	'body_too_large',
	'unsupported_media_type',
];

export const leaseOperations: Record<string, Record<string, Operation>> = {
	'/v1/leases': {
		get: {
			operationId: 'listLeases',
			summary: 'List the leases of the account',
			description: 'Newest first, including those that have ended.',
			tag: 'Leases',
			query: leaseListQuery,
			success: { status: 200, schema: 'LeasePage', description: 'A page of leases' },
			example: { response: { data: [active], next_cursor: null } },
			errors: [],
		},
		post: {
			operationId: 'createLease',
			summary: 'Lease a board',
			description:
				'Leases any board of a type, or a specific board. If none is available, the lease waits `wait_seconds` in the queue; accounts with the fewest boards come first. It ends `minutes` after it became active unless it is renewed; with `heartbeat`, it also has to be renewed within `minutes` before. Credits are held for its full duration and booked when it ends, for each started minute in which it was active. A board without an agent can be reserved, but not flashed or read; with `requires_agent`, only boards with an agent are leased, and the response is 409 `board_has_no_agent` if there are none.',
			tag: 'Leases',
			parameters: [idempotencyKey],
			input: { schema: 'LeaseInput', required: true },
			success: { status: 201, schema: 'Lease', description: 'The lease, queued or granted' },
			example: {
				request: { board_type: 'arduino-uno', minutes: 10, wait_seconds: 600, label: 'nightly' },
				response: active,
			},
			errors: [
				...creation,
				'credits_exhausted',
				'board_not_found',
				'board_type_not_found',
				'no_board_available',
				'board_has_no_agent',
				'lease_limit',
			],
		},
	},
	'/v1/leases/{id}': {
		get: {
			operationId: 'getLease',
			summary: 'Get a lease',
			description:
				'With `wait`, responds once the status differs from `status` or the console of the board is lost or back, or after this many seconds.',
			tag: 'Leases',
			parameters: [leaseId],
			query: leaseQuery,
			success: { status: 200, schema: 'Lease', description: 'The lease' },
			example: { response: active },
			errors: ['lease_not_found'],
		},
		delete: {
			operationId: 'releaseLease',
			summary: 'Release a lease',
			description:
				'The board is available to others at once. A lease that has already ended is returned unchanged.',
			tag: 'Leases',
			parameters: [leaseId],
			success: { status: 200, schema: 'Lease', description: 'The ended lease' },
			example: { response: ended },
			errors: ['origin_refused', 'lease_not_found'],
		},
	},
	'/v1/leases/{id}/renew': {
		post: {
			operationId: 'renewLease',
			summary: 'Renew a lease',
			description:
				'The lease ends this many minutes from now, but not after the maximum duration that the service allows. A renewal never shortens a lease; at `latest_expires_at`, it gains nothing. One that is not active yet keeps its minutes: its heartbeat is moved, if it has one.',
			tag: 'Leases',
			parameters: [leaseId, idempotencyKey],
			input: { schema: 'LeaseRenewal', required: true },
			success: { status: 200, schema: 'RenewedLease', description: 'The renewed lease' },
			example: {
				request: { minutes: 10 },
				response: { ...active, latest_expires_at: '2026-01-03T03:04:06.789Z' },
			},
			errors: [...change, ...repeatable, 'credits_exhausted', 'lease_not_found', 'lease_ended'],
		},
	},
	'/v1/leases/{id}/console/sync': {
		post: {
			operationId: 'syncConsole',
			summary: 'Wait for all console output until now',
			description:
				'Responds once the agent of the board has sent all output that it had read, within 5 seconds. If it has not, the `console_status` of the response is `disconnected`: nobody knows what the board shows. Read the console afterwards to say that something was not shown. Without an active lease or a console, it responds at once.',
			tag: 'Leases',
			parameters: [leaseId],
			success: { status: 200, schema: 'Lease', description: 'The lease' },
			example: { response: active },
			errors: ['origin_refused', 'lease_not_found', 'board_has_no_agent'],
		},
	},
	'/v1/admin/leases': {
		get: {
			operationId: 'listAllLeases',
			summary: 'List the leases of every account',
			description: 'For administrators. Newest first, including those that have ended.',
			tag: 'Leases',
			query: leaseListQuery,
			success: { status: 200, schema: 'AdminLeasePage', description: 'A page of leases' },
			example: {
				response: {
					data: [{ ...active, account_id: 'acc_5a4b3c2d1e0f5a4b3c2d1e0f' }],
					next_cursor: null,
				},
			},
			errors: ['admin_required'],
		},
	},
	'/v1/admin/leases/{id}': {
		delete: {
			operationId: 'endLease',
			summary: 'End a lease of any account',
			description: 'For administrators. A lease that has already ended is returned unchanged.',
			tag: 'Leases',
			parameters: [leaseId],
			success: { status: 200, schema: 'AdminLease', description: 'The ended lease' },
			example: {
				response: {
					...ended,
					end_reason: 'admin',
					end_message: 'An administrator ended the lease.',
					account_id: 'acc_5a4b3c2d1e0f5a4b3c2d1e0f',
				},
			},
			errors: ['origin_refused', 'admin_required', 'lease_not_found'],
		},
	},
};
