// Creates the client of a command. Loads it only then, so that help and completion stay fast.
import type { Attempt, BoardAccess } from 'board-access';
import { Reachability } from '../../ci/reachability.ts';
import { CliError } from '../failures/cli-error.ts';
import { type Failure, failureOf } from '../failures/failure.ts';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note } from '../terminal/output.ts';
import { printable, printableJson } from '../terminal/style.ts';
import { readKeyFrom } from './api-key-source.ts';
import { findBaseUrl, readAddress } from './base-url-source.ts';

/** A client with the settings from the options, the environment and the saved login. */
export async function connect(
	options: ServiceOptions,
	io: Io,
	reachability?: Reachability,
): Promise<BoardAccess> {
	const { readApiKey } = await import('board-access');
	noteOverrides(options, io);
	const [baseUrl, apiKey] = await both(
		async () => readAddress(await findBaseUrl(options, io), options),
		async () => {
			const key = await readKeyFrom(options, io);
			return readApiKey(key.text, key.source);
		},
	);
	return createClient({ baseUrl, apiKey, reachability }, options, io);
}

interface Connection {
	baseUrl: URL | string;
	apiKey: string;
	/** Default: reports on standard error. */
	reachability?: Reachability | undefined;
}

export async function createClient(
	{ baseUrl, apiKey, reachability }: Connection,
	options: ServiceOptions,
	io: Io,
) {
	const { BoardAccess } = await import('board-access');
	const { timeout, allowInsecureHttp, debug } = options;
	const fetch = (reachability ?? reportedTo(io, options)).watching(io.fetch);
	const onAttempt = debug && logTo(io.stderr);
	return new BoardAccess({ baseUrl, apiKey, timeout, allowInsecureHttp, fetch, onAttempt });
}

/** Reports when the service can no longer be reached, and when it is back. */
function reportedTo(io: Io, { json }: ServiceOptions) {
	return new Reachability((event) => note(json ? printableJson(event, 0) : event.message, io));
}

/** Both results, or one error for both failures, so that a user does not fix them one by one. */
async function both<One, Other>(one: () => Promise<One>, other: () => Promise<Other>) {
	const results = await Promise.allSettled([one(), other()] as const);
	const [first, second] = results;
	if (first.status === 'fulfilled' && second.status === 'fulfilled') {
		return [first.value, second.value] as const;
	}
	const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
	const failures = await Promise.all(errors.map((error) => failureOf(error)));
	const [address, key] = failures;
	if (!address || !key || address.message === key.message) throw errors[0];
	throw new CliError('The address and the API key are missing or invalid', {
		code: address.code,
		exitCode: address.exitCode,
		details: {
			issues: [
				{ path: 'address', message: inOneLine(address) },
				{ path: 'API key', message: inOneLine(key) },
			],
		},
	});
}

function inOneLine({ message, hint }: Failure) {
	return [message, hint].filter(Boolean).join('. ');
}

/** Someone who asks for a saved login by name expects that one. */
function noteOverrides({ service, baseUrl, apiKeyFile }: ServiceOptions, io: Io) {
	if (service === undefined) return;
	const ignored = [
		...(baseUrl === undefined && io.env.SERVICE_BASE_URL ? ['SERVICE_BASE_URL'] : []),
		...(apiKeyFile === undefined && io.env.SERVICE_API_KEY !== undefined
			? ['SERVICE_API_KEY']
			: []),
	];
	notePrecedence(ignored, `the login "${service}"`, io);
}

/** Says that variables are used instead of a login. */
export function notePrecedence(variables: readonly string[], login: string, io: Io) {
	if (variables.length === 0) return;
	const verb = variables.length === 1 ? 'is set and takes' : 'are set and take';
	note(`${variables.join(' and ')} ${verb} precedence over ${login}.`, io);
}

function logTo(stderr: Io['stderr']) {
	return (attempt: Attempt) => {
		const { method, path, status, error, durationMs, requestId, retryInMs } = attempt;
		const end = [
			status ?? error,
			`in ${Math.round(durationMs)} ms`,
			...(requestId ? [`(${requestId})`] : []),
			...(retryInMs === undefined ? [] : [`retry in ${Math.round(retryInMs)} ms`]),
		];
		stderr.write(`${printable(`${method} ${path}: ${end.join(' ')}`)}\n`);
	};
}
