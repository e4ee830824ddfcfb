// What the exit code says. Scripts rely on the numbers: they are never given another meaning.

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
	failSeen: 9,
	notSeen: 10,
	boardFailed: 11,
	noBoard: 12,
	interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
	0: 'done',
	1: 'failed for a reason that has no number of its own',
	2: 'the command line or the input is wrong',
	3: 'not found, or no board for a matrix',
	4: 'no API key, or one that is not accepted',
	5: 'the account needs the paid tier',
	6: 'the account may not do this',
	7: 'too many requests',
	8: 'the service cannot be reached',
	9: 'the console showed what --fail names',
	10: 'the console did not show what --expect names in time',
	11: 'the board or its agent failed; worth another run',
	12: 'no board is available',
	130: 'interrupted',
};

const codesOfStatuses: Readonly<Record<number, ExitCode>> = {
	400: exitCodes.usage,
	401: exitCodes.credentials,
	402: exitCodes.paymentRequired,
	403: exitCodes.forbidden,
	404: exitCodes.notFound,
	422: exitCodes.usage,
	429: exitCodes.rateLimited,
};

export function exitCodeOfStatus(status: number): ExitCode {
	return codesOfStatuses[status] ?? exitCodes.general;
}
