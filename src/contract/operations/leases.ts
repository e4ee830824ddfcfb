// Leases, and what is done with their boards.
import * as z from 'zod/mini';
import { leasePins, pinInput } from '../agent.ts';
import { channelInput, channelTicket } from '../channel/input.ts';
import { maxFileSize } from '../firmware/format.ts';
import {
	adminLease,
	firmwareFile,
	lease,
	leaseAction,
	leaseGroup,
	leaseShare,
	renewedLease,
} from '../records.ts';
import {
	consoleOffset,
	consoleQuery,
	flag,
	leaseActionInput,
	leaseGroupInput,
	leaseInput,
	leaseListQuery,
	leaseQuery,
	leaseRenewal,
	leaseShareInput,
	leaseShareRemoval,
	listQuery,
	maxConsoleInput,
	wait,
} from '../requests.ts';
import type { Operation } from './operation.ts';

const unusable = ['lease_not_active', 'lease_ended', 'board_has_no_agent'] as const;

const unleasable = [
	'credits_exhausted',
	'board_not_found',
	'board_type_not_found',
	'board_tag_not_found',
	'no_board_available',
	'board_has_no_agent',
	'lease_limit',
] as const;

export const leaseOperations = {
	listLeases: {
		route: 'GET /v1/leases',
		/** `shared`: those of others that are shared with the account. Waits until the page is another one. */
		query: z.extend(leaseListQuery, { shared: flag, wait }),
		output: lease,
		paged: true,
		tagged: true,
	},
	createLease: {
		route: 'POST /v1/leases',
		input: leaseInput,
		output: lease,
		status: 201,
		repeatable: true,
		errors: unleasable,
	},
	createLeaseGroup: {
		route: 'POST /v1/lease-groups',
		input: leaseGroupInput,
		output: leaseGroup,
		status: 201,
		repeatable: true,
		errors: unleasable,
	},
	getLease: { route: 'GET /v1/leases/{id}', query: leaseQuery, output: lease },
	releaseLease: { route: 'DELETE /v1/leases/{id}', output: lease },
	renewLease: {
		route: 'POST /v1/leases/{id}/renew',
		input: leaseRenewal,
		output: renewedLease,
		repeatable: true,
		errors: ['credits_exhausted', 'lease_ended'],
	},
	listShares: { route: 'GET /v1/leases/{id}/shares', output: leaseShare, paged: true },
	// The addresses are in bodies, because logs and traces have paths.
	shareLease: {
		route: 'PUT /v1/leases/{id}/shares',
		input: leaseShareInput,
		output: leaseShare,
		repeatable: true,
		errors: ['lease_ended', 'share_limit'],
	},
	unshareLease: {
		route: 'POST /v1/leases/{id}/shares/remove',
		input: leaseShareRemoval,
		repeatable: true,
	},
	leaveLease: { route: 'DELETE /v1/leases/{id}/shares/own' },
	listActions: {
		route: 'GET /v1/leases/{id}/actions',
		query: listQuery,
		output: leaseAction,
		paged: true,
	},
	createAction: {
		route: 'POST /v1/leases/{id}/actions',
		input: leaseActionInput,
		output: leaseAction,
		status: 202,
		repeatable: true,
		errors: [...unusable, 'file_not_found', 'invalid_firmware', 'lease_limit'],
	},
	getAction: {
		route: 'GET /v1/leases/{id}/actions/{action_id}',
		query: z.strictObject({ wait }),
		output: leaseAction,
		errors: ['action_not_found'],
	},
	drivePin: {
		route: 'POST /v1/leases/{id}/pins',
		input: pinInput,
		output: leasePins,
		repeatable: true,
		isConsoleInput: true,
		errors: unusable,
	},
	openChannel: {
		route: 'POST /v1/leases/{id}/channels',
		input: channelInput,
		output: channelTicket,
		status: 201,
		errors: [...unusable, 'channel_not_found'],
	},
	uploadFile: {
		route: 'POST /v1/leases/{id}/files',
		/** `raw`: the file may be of no known format. */
		query: z.strictObject({ raw: flag }),
		bytes: true,
		maxBytes: maxFileSize,
		output: firmwareFile,
		status: 201,
		repeatable: true,
		errors: [...unusable, 'invalid_firmware', 'lease_limit', 'storage_limit'],
	},
	readConsole: {
		route: 'GET /v1/leases/{id}/console',
		query: consoleQuery,
		streams: true,
		errors: ['lease_not_active', 'board_has_no_agent'],
	},
	writeConsole: {
		route: 'POST /v1/leases/{id}/console',
		/**
		 * `offset`: where the input belongs. `piece`: a random name, the same for each attempt: the same bytes
		 * with another name are another writer's.
		 */
		query: z.strictObject({
			offset: z.optional(consoleOffset),
			piece: z.optional(
				z.string().check(z.regex(/^\w{1,64}$/, 'must be 1 to 64 letters, digits or _')),
			),
		}),
		bytes: true,
		maxBytes: maxConsoleInput,
		repeatable: true,
		isConsoleInput: true,
		errors: [...unusable, 'console_gap', 'console_input_full'],
	},
	syncConsole: {
		route: 'POST /v1/leases/{id}/console/sync',
		output: lease,
		errors: ['board_has_no_agent'],
	},
	listAllLeases: {
		route: 'GET /v1/admin/leases',
		query: leaseListQuery,
		output: adminLease,
		paged: true,
	},
	endLease: { route: 'DELETE /v1/admin/leases/{id}', output: adminLease },
} as const satisfies Record<string, Operation>;
