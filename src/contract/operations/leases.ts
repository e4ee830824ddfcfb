// Leases, and what is done with their boards.
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
	consoleInputQuery,
	consoleQuery,
	fileQuery,
	leaseActionInput,
	leaseActionQuery,
	leaseGroupInput,
	leaseInput,
	leaseListQuery,
	leaseQuery,
	leaseRenewal,
	leaseShareInput,
	leaseShareRemoval,
	listQuery,
	maxConsoleInput,
	ownLeasesQuery,
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
		query: ownLeasesQuery,
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
		query: leaseActionQuery,
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
		query: fileQuery,
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
		streams: ['application/octet-stream', 'text/event-stream'],
		errors: ['lease_not_active', 'board_has_no_agent'],
	},
	writeConsole: {
		route: 'POST /v1/leases/{id}/console',
		query: consoleInputQuery,
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
