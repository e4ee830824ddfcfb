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
	reachability = saidTo(io, options),
): Promise<BoardAccess> {
	const { BoardAccess, readApiKey } = await import('board-access');
	noteOverrides(options, io);
	const [baseUrl, apiKey] = await both(
		async () => readAddress(await findBaseUrl(options, io), options),
		async () => {
			const key = await readKeyFrom(options, io);
			return readApiKey(key.text, key.source);
		},
	);
	return new BoardAccess({
		baseUrl,
		apiKey,
		timeout: options.timeout,
		allowInsecureHttp: options.allowInsecureHttp,
		fetch: reachability.watching(io.fetch),
		onAttempt: options.debug && logTo(io.stderr),
	});
}

/** Says when the service can no longer be reached, and when it is back. */
export function saidTo(io: Io, { json }: ServiceOptions) {
	const reachability = new Reachability();
	reachability.onChange = (event) => note(json ? printableJson(event, 0) : event.message, io);
	return reachability;
}

/** Both results, or one error for both failures, so that a user does not fix them one by one. */
async function both<One, Other>(one: () => Promise<One>, other: () => Promise<Other>) {
	const results = await Promise.allSettled([one(), other()] as const);
	const [first, second] = results;
	if (first.status === 'fulfilled' && second.status === 'fulfilled') {
		return [first.value, second.value] as const;
	}
	const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
	if (errors.length === 1) throw errors[0];
	const failures = await Promise.all(errors.map((error) => failureOf(error)));
	throw failures[0]?.message === failures[1]?.message ? errors[0] : bothInvalid(failures);
}

function bothInvalid([address, key]: readonly Failure[]) {
	return new CliError('The address and the API key are missing or invalid', {
		code: address?.code ?? 'base_url_invalid',
		exitCode: address?.exitCode ?? 2,
		details: {
			issues: [
				{ path: 'address', message: inOneLine(address) },
				{ path: 'API key', message: inOneLine(key) },
			],
		},
	});
}

function inOneLine(failure: Failure | undefined) {
	return [failure?.message, failure?.hint].filter(Boolean).join('. ');
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
	if (ignored.length === 0) return;
	const verb = ignored.length === 1 ? 'is set and takes' : 'are set and take';
	note(`${ignored.join(' and ')} ${verb} precedence over the login "${service}".`, io);
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
