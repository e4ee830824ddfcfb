// What an error means to the user of the command: its exit code, what happened, what to do.
import { type AnyBoardAccessError, type ApiError, isBoardAccessError } from 'board-access';
import { CommanderError } from 'commander';
import { resultOf } from '../../ci/firmware-report.ts';
import { FirmwareError } from '../../contract/firmware/index.ts';
import { adviceFor } from './advice.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodeOfResponse, exitCodes, exitCodesOfResults } from './exit-codes.ts';

export interface Failure {
	exitCode: ExitCode;
	code: string;
	message: string;
	hint?: string | undefined;
	[detail: string]: unknown;
}

/** Of all others, the board or its agent is the reason. */
const exitCodesOfChannels: Readonly<Record<string, ExitCode>> = {
	connection_lost: exitCodes.network,
	credential_ended: exitCodes.credentials,
	access_ended: exitCodes.forbidden,
};

const diagnose = 'Run "board-access doctor" to find the cause.';
const unclear = 'The service may have carried out the request. Check before you repeat it.';

export function failureOf(error: unknown, signal?: AbortSignal): Failure {
	if (error instanceof CommanderError) return ofCommander(error);
	if (error instanceof CliError) {
		const { exitCode, code, message, hint, details } = error;
		return { exitCode, code, message, hint, ...details };
	}
	if (error instanceof FirmwareError) {
		return { exitCode: exitCodes.usage, code: error.code, message: error.message };
	}
	if (signal?.aborted) {
		const { interrupted: exitCode } = exitCodes;
		return { exitCode, code: 'interrupted', message: 'Interrupted', outcome: 'unknown' };
	}
	if (isBoardAccessError(error)) return ofClient(error);
	return {
		exitCode: exitCodes.general,
		code: 'unexpected',
		message: error instanceof Error ? error.message : String(error),
		hint: 'Run the command with --debug for details.',
	};
}

function ofCommander({ code, message }: CommanderError): Failure {
	const isHelp = code === 'commander.help';
	const [first = '', ...suggestion] = message.replace(/^error: /, '').split('\n');
	return {
		exitCode: exitCodes.usage,
		code: 'usage',
		message: isHelp ? 'A command is missing' : sentence(first),
		hint:
			suggestion.join(' ').replace(/^\(|\)$/g, '') ||
			'Run the command with --help to see its arguments and options.',
	};
}

/** Rewords a message of commander, which begins in lower case and repeats the placeholder of an option. */
function sentence(message: string) {
	const text = message
		.replace(/^option '(?:-\w, )?(--[\w-]+)(?: [^']*)?' argument/, '$1')
		.replace(/^(--\S+) missing$/, '$1 needs a value');
	return text.startsWith('-') ? text : text.replace(/^./, (letter) => letter.toUpperCase());
}

function ofClient(error: AnyBoardAccessError): Failure {
	const { code, message, outcome } = error;
	const failure = { exitCode: exitCodeOf(error), code, message, hint: hintOf(error), outcome };
	if (error.name === 'NoBoardError') return { ...failure, requestId: error.requestId };
	if (error.name !== 'ApiError') return failure;
	const { status, requestId, issues } = error;
	const details = { status, requestId, ...(issues.length > 0 && { issues }) };
	return { ...failure, ...boardAsLease(error), ...details };
}

/** A better message if the ID of a board was passed as that of a lease. */
function boardAsLease({ code, attempts }: ApiError) {
	const [, id] = /^\/v1\/leases\/(brd_[\w-]+)/.exec(attempts.at(-1)?.path ?? '') ?? [];
	if (code !== 'lease_not_found' || id === undefined) return {};
	const hint = `"board-access boards get ${id}" shows your lease of it.`;
	return { message: 'This is a board, not a lease.', hint };
}

function exitCodeOf(error: AnyBoardAccessError): ExitCode {
	const result = resultOf(error);
	if (result) return exitCodesOfResults[result];
	if (error.name === 'ApiError') return exitCodeOfResponse(error);
	if (error.code.startsWith('api_key')) return exitCodes.credentials;
	if (error.name === 'ChannelError')
		return exitCodesOfChannels[error.code] ?? exitCodes.boardFailed;
	if (error.name === 'LeaseNotSharedError') return exitCodes.forbidden;
	if (error.name === 'ConnectionError' || error.name === 'RequestTimeoutError')
		return exitCodes.network;
	if (error.name === 'InputError' || error.name === 'ConfigurationError') return exitCodes.usage;
	return exitCodes.general;
}

function hintOf(error: AnyBoardAccessError) {
	const { name, code, outcome } = error;
	const own = adviceFor(name === 'LeaseEndedError' ? error.reason : code);
	// The advice of the service names a field of the API.
	const isOwn =
		name === 'ConfigurationError' || code === 'no_board_available' || code === 'board_has_no_agent';
	const hint = isOwn ? (own ?? error.hint) : (error.hint ?? own);
	const isLost = name === 'ConnectionError' && outcome !== 'unknown';
	if (hint) return isLost || code === 'not_found' ? `${hint} ${diagnose}` : hint;
	if (name === 'LeaseEndedError' || name === 'ActionFailedError') return undefined;
	if (outcome === 'unknown') return unclear;
	return exitCodeOf(error) === exitCodes.network ? diagnose : undefined;
}
