// What an error means to the user of the command: its exit code, what happened, what to do.
import type { AnyBoardAccessError } from 'board-access';
import { CommanderError } from 'commander';
import { hintFor } from './advice.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from './exit-codes.ts';

export interface Failure {
	exitCode: ExitCode;
	code: string;
	message: string;
	hint?: string | undefined;
	[detail: string]: unknown;
}

const examine = '"board-access doctor" looks for the reason.';
const unclear = 'It is not known whether the service carried it out: look before you try again.';

const interrupted: Failure = {
	exitCode: exitCodes.interrupted,
	code: 'interrupted',
	message: 'Interrupted',
	outcome: 'unknown',
};

/** What an error means to the user of the command. */
export async function failureOf(error: unknown, signal?: AbortSignal): Promise<Failure> {
	if (error instanceof CommanderError) return ofCommander(error);
	if (error instanceof CliError) {
		const { exitCode, code, message, hint, details } = error;
		return { exitCode, code, message, hint, ...details };
	}
	return signal?.aborted ? interrupted : ofUnknown(error);
}

function ofCommander({ code, message }: CommanderError): Failure {
	const isHelp = code === 'commander.help';
	const [first = '', ...suggestion] = message.replace(/^error: /, '').split('\n');
	return {
		exitCode: exitCodes.usage,
		code: 'usage',
		message: isHelp ? 'A command is missing' : first,
		hint: suggestion.join(' ').replace(/^\(|\)$/g, '') || '"--help" shows what there is.',
	};
}

function exitCodeOf(error: { name: string; code: string; status?: number }): ExitCode {
	if (error.name === 'ApiError' && error.status !== undefined)
		return exitCodeOfStatus(error.status);
	if (error.code.startsWith('api_key')) return exitCodes.credentials;
	if (error.name === 'ConnectionError' || error.name === 'TimeoutError') return exitCodes.network;
	if (error.name === 'InputError' || error.name === 'ConfigurationError') return exitCodes.usage;
	return exitCodes.general;
}

function generalHint({ name, outcome }: AnyBoardAccessError) {
	if (outcome === 'unknown') return unclear;
	return name === 'ConnectionError' ? examine : undefined;
}

function hintOf(error: AnyBoardAccessError) {
	const own = hintFor(error.code);
	const hint = error.name === 'ConfigurationError' ? (own ?? error.hint) : (error.hint ?? own);
	if (error.code === 'not_found' || error.code === 'tls_failed') return `${hint} ${examine}`;
	return hint ?? generalHint(error);
}

async function ofUnknown(error: unknown): Promise<Failure> {
	const { isBoardAccessError } = await import('board-access');
	if (!isBoardAccessError(error)) {
		const message = error instanceof Error ? error.message : String(error);
		return {
			exitCode: exitCodes.general,
			code: 'unexpected',
			message,
			hint: '--debug shows more.',
		};
	}
	const details = error.name === 'ApiError' ? error : undefined;
	return {
		exitCode: exitCodeOf(error),
		code: error.code,
		message: error.message,
		hint: hintOf(error),
		...(details && { status: details.status, requestId: details.requestId }),
		...(details?.issues.length && { issues: details.issues }),
		outcome: error.outcome,
	};
}
