// The exit codes. Scripts rely on the numbers, so their meanings never change.
import type { ApiError } from 'board-access';
import type { FirmwareTestResult } from '../../ci/firmware-report.ts';

export const exitCodes = {
	ok: 0,
	general: 1,
	usage: 2,
	notFound: 3,
	credentials: 4,
	paymentRequired: 5,
	forbidden: 6,
	rateLimited: 7,
	network: 8,
	failTextSeen: 9,
	textNotSeen: 10,
	boardFailed: 11,
	noBoard: 12,
	silent: 13,
	leaseLimit: 14,
	interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
	0: 'success',
	1: 'any other failure',
	2: 'invalid command line or input, or firmware that does not fit the board',
	3: 'not found: a key, a board, a board type, or the address of the service',
	4: 'missing or invalid API key',
	5: 'payment required: the account needs the paid tier or more credits',
	6: 'forbidden: the account or the key is not allowed to do this, or the lease is no longer shared with it',
	7: 'too many requests',
	8: 'the service cannot be reached or does not respond in time, or --max-time is over',
	9: 'the text of --fail appeared on the console',
	10: 'the text of --expect did not appear in time',
	11: 'the board, its serial console or its agent failed, or the lease ended; the message says which',
	12: 'no board is available',
	13: 'the board printed nothing since the flash, so nothing is known of the firmware',
	14: 'the account has as many leases as it may',
	130: 'interrupted',
};

// A proxy, or a service that stops, responds with 502 to 504.
const byStatus: Readonly<Record<number, ExitCode>> = {
	400: 2,
	401: 4,
	402: 5,
	403: 6,
	404: 3,
	422: 2,
	429: 7,
	502: 8,
	503: 8,
	504: 8,
};

export const exitCodesOfResults: Readonly<Record<FirmwareTestResult, ExitCode>> = {
	passed: exitCodes.ok,
	fail_seen: exitCodes.failTextSeen,
	not_seen: exitCodes.textNotSeen,
	silent: exitCodes.silent,
	board_failed: exitCodes.boardFailed,
	no_board: exitCodes.noBoard,
	lease_limit: exitCodes.leaseLimit,
	error: exitCodes.general,
};

export function exitCodeOfResponse({ status, code }: ApiError): ExitCode {
	if (code === 'board_has_no_agent') return exitCodes.noBoard;
	return byStatus[status] ?? exitCodes.general;
}
