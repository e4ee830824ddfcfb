// Says what went wrong: in words for people, as JSON for programs, and as an exit code.
import type { AnyBoardAccessError } from 'board-access';
import { CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from './exit-codes.ts';
import type { Invocation } from './io.ts';
import { createStyle, printable } from './style.ts';

export interface Failure {
	exitCode: ExitCode;
	code: string;
	message: string;
	hint?: string | undefined;
	[detail: string]: unknown;
}

// What to do, in the words of the command line instead of the library's.
const hints: Readonly<Record<string, string>> = {
	base_url_missing:
		'Set SERVICE_BASE_URL or pass --base-url. A service of your own for trying things out: npx board-access-service start --demo',
	api_key_missing:
		'Set SERVICE_API_KEY or pass --api-key-file. A key is made on the API Keys page of the web UI; it is shown once.',
	insecure_http: 'Use https, or pass --allow-insecure-http if the network is your own.',
	paid_tier_required: 'Top up credits in the web UI; keys that exist go on working.',
	admin_required: 'Use the key of an account with the role admin.',
	connection_refused: '"board-access doctor" looks for the reason.',
	name_not_found: '"board-access doctor" looks for the reason.',
	tls_failed: '"board-access doctor" looks for the reason.',
};

const unclear = 'It is not known whether the service carried it out: look before you try again.';

const ofCommander = ({ code, message }: CommanderError): Failure => {
	const isHelp = code === 'commander.help';
	const [first = '', ...suggestion] = message.replace(/^error: /, '').split('\n');
	return {
		exitCode: exitCodes.usage,
		code: 'usage',
		message: isHelp ? 'A command is missing' : first,
		hint: suggestion.join(' ').replace(/^\(|\)$/g, '') || '"--help" shows what there is.',
	};
};

const exitCodeOf = (error: { name: string; code: string; status?: number }): ExitCode => {
	if (error.status !== undefined) return exitCodeOfStatus(error.status);
	if (error.code.startsWith('api_key')) return exitCodes.credentials;
	if (error.name === 'ConnectionError' || error.name === 'TimeoutError') return exitCodes.network;
	if (error.name === 'InputError' || error.name === 'ConfigurationError') return exitCodes.usage;
	return exitCodes.general;
};

const hintOf = ({ name, code, hint, outcome }: AnyBoardAccessError) => {
	const own = hints[code];
	if (name === 'ConfigurationError') return own ?? hint;
	return hint ?? own ?? (outcome === 'unknown' ? unclear : undefined);
};

const ofUnknown = async (error: unknown): Promise<Failure> => {
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
};

/** What an error means to the user of the command. */
export const failureOf = async (error: unknown, signal?: AbortSignal): Promise<Failure> => {
	if (signal?.aborted) {
		return { exitCode: exitCodes.interrupted, code: 'interrupted', message: 'Interrupted' };
	}
	if (error instanceof CommanderError) return ofCommander(error);
	if (error instanceof CliError) {
		const { exitCode, code, message, hint, details } = error;
		return { exitCode, code, message, hint, ...details };
	}
	return ofUnknown(error);
};

const inWords = ({ message, hint, requestId, issues }: Failure, red: (text: string) => string) => {
	const faults = Array.isArray(issues) ? issues : [];
	const lines = [
		message,
		...faults.map(({ path, message: fault }) => `  ${path}: ${fault}`),
		...(hint ? [`  ${hint}`] : []),
		...(requestId ? [`  request id: ${requestId}`] : []),
	];
	return `${red('error:')} ${lines.map(printable).join('\n')}`;
};

const withoutKeys = (text: string) => text.replace(/key_[0-9a-f]{48}/gi, 'key_[redacted]');

const stackOf = (error: unknown): string => {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
	return `${error.stack ?? error.message}${cause}`;
};

/** Prints the error; gives the exit code. The options are looked for in argv, which may be wrong. */
export const report = async (error: unknown, invocation: Invocation): Promise<ExitCode> => {
	const { argv, env, stderr, signal } = invocation;
	const { exitCode, ...failure } = await failureOf(error, signal);
	const { red } = createStyle(stderr, env, !argv.includes('--no-color'));
	const asJson = argv.includes('--json');
	const text = asJson ? JSON.stringify({ error: failure }) : inWords({ exitCode, ...failure }, red);
	stderr.write(`${withoutKeys(text)}\n`);
	if (argv.includes('--debug')) stderr.write(`${withoutKeys(stackOf(error))}\n`);
	return exitCode;
};
