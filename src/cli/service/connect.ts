// Creates the client of a command.
import { BoardAccess, readApiKey } from 'board-access';
import { Reachability } from '../../ci/reachability.ts';
import { printableJson } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { failureOf } from '../failures/failure.ts';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { createStatus, note, type Status } from '../terminal/output.ts';
import { findBaseUrl, findKey, readAddress } from './credentials.ts';

export interface Call<Options extends ServiceOptions = ServiceOptions> {
	client: BoardAccess;
	options: Options;
	io: Io;
	signal: AbortSignal | undefined;
	status: Status;
}

/** The action of a command that sends requests: connects, then does the work with the arguments. */
export function withClient<Options extends ServiceOptions, Arguments extends unknown[]>(
	io: Io,
	work: (call: Call<Options>, ...given: Arguments) => Promise<void>,
) {
	return async (...words: unknown[]) => {
		// commander passes the arguments, the options and the command.
		const options = words.at(-2) as Options;
		const given = words.slice(0, -2) as Arguments;
		const status = createStatus(options, io);
		const reachability = new Reachability((event) =>
			options.json ? note(printableJson(event, 0), io) : status.lasting(event.message),
		);
		const client = await connect(options, io, reachability);
		try {
			await work({ client, options, io, signal: io.signal, status }, ...given);
		} finally {
			status.clear();
		}
	};
}

/** A client with the settings from the options, the environment and the saved login. */
export async function connect(
	options: ServiceOptions,
	io: Io,
	reachability?: Reachability,
): Promise<BoardAccess> {
	const { service } = options;
	if (service !== undefined) notePrecedence(options, `the login "${service}"`, io);
	const settings = await Promise.allSettled([
		findBaseUrl(options, io).then((found) => readAddress(found, options)),
		findKey(options, io).then(({ text, source }) => readApiKey(text, source)),
	]);
	const [address, key] = settings;
	if (address.status === 'fulfilled' && key.status === 'fulfilled') {
		return createClient({ baseUrl: address.value, apiKey: key.value, reachability }, options, io);
	}
	const rejected = settings.filter((result) => result.status === 'rejected');
	throw inOneError(rejected.map(({ reason }) => reason));
}

/** One error for a missing address and a missing key, so that users fix both at once. */
function inOneError(errors: readonly unknown[]) {
	const [address, key] = errors.map((error) => failureOf(error));
	if (!address || !key || address.message === key.message) return errors[0];
	const issues = [
		{ path: 'address', message: [address.message, address.hint].filter(Boolean).join('. ') },
		{ path: 'API key', message: [key.message, key.hint].filter(Boolean).join('. ') },
	];
	return new CliError('The address and the API key are missing or invalid', {
		code: address.code,
		exitCode: address.exitCode,
		details: { issues },
	});
}

interface Connection {
	baseUrl: URL | string;
	apiKey: string;
	/** Default: reports on standard error. */
	reachability?: Reachability | undefined;
}

export function createClient(
	{ baseUrl, apiKey, reachability }: Connection,
	options: ServiceOptions,
	io: Io,
) {
	const { timeout, allowInsecureHttp, debug, json } = options;
	const reported = new Reachability((event) =>
		note(json ? printableJson(event, 0) : event.message, io),
	);
	const fetch = (reachability ?? reported).watching(io.fetch);
	const webSocket = io.fetch ? undefined : globalThis.WebSocket;
	const settings = { baseUrl, apiKey, timeout, allowInsecureHttp, fetch, webSocket };
	if (!debug) return new BoardAccess(settings);
	const line = (_: unknown, text: string) => note(text, io);
	const logger = { debug: line, info: line, warn: line, error: line };
	return new BoardAccess({ ...settings, logger, logLevel: 'debug' });
}

/** Tells the user that variables take precedence over a login. */
export function notePrecedence(
	{ baseUrl, apiKeyFile }: Pick<ServiceOptions, 'baseUrl' | 'apiKeyFile'>,
	login: string,
	io: Io,
) {
	const variables = [
		...(baseUrl === undefined ? ['SERVICE_BASE_URL'] : []),
		...(apiKeyFile === undefined ? ['SERVICE_API_KEY'] : []),
	];
	const set = variables.filter((name) => io.env[name]);
	if (set.length === 0) return;
	const verb = set.length === 1 ? 'is set and takes' : 'are set and take';
	note(`${set.join(' and ')} ${verb} precedence over ${login}.`, io);
}
