// Turns the options of a client and the environment into valid settings.
import type { Attempt } from '../errors/details.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { Observer } from '../http/attempts.ts';
import type { Fetch } from '../http/fetch.ts';
import { longestTimeout } from '../http/signals.ts';
import { defined } from '../records/defined.ts';
import { fieldsOf } from '../records/json.ts';
import { readApiKey } from './api-key.ts';
import { isBrowser, readBaseUrl } from './base-url.ts';
import { createLog, type Logger, type LogLevel, logLevels } from './log.ts';

/** Returns the API key; called before each attempt, so the key can come from a vault. */
export type ApiKeyProvider = () => string | Promise<string>;

/** Headers as an object, as pairs, or as `Headers`. `null` removes a header, `undefined` keeps it. */
export type HeadersInput =
	| Readonly<Record<string, string | null | undefined>>
	| Iterable<readonly [name: string, value: string | null | undefined]>;

/** The configuration of a {@link BoardAccess} client. Everything is optional. */
export interface BoardAccessOptions {
	/**
	 * The API key, or a function that returns it, or `null` to send none and rely on the session
	 * cookie of the web UI. Default: the environment variable `SERVICE_API_KEY`.
	 */
	apiKey?: string | ApiKeyProvider | null | undefined;
	/** The address of the service. Default: the environment variable `SERVICE_BASE_URL`. */
	baseUrl?: string | URL | undefined;
	/** Milliseconds that a request may take with all attempts and waits; of a list, each page. Default: 30,000. */
	timeout?: number | undefined;
	/**
	 * Milliseconds that one attempt may take; one that takes longer is aborted, and retried where that is
	 * safe. Default: a third of `timeout` but at least 10,000, and for what is not retried all of it.
	 */
	attemptTimeout?: number | undefined;
	/** How often a failed request is retried. Default: 2, and 5 for requests about a lease. */
	maxRetries?: number | undefined;
	/** More headers; `null` removes one that was set before. */
	headers?: HeadersInput | undefined;
	/** The function that sends the requests. Default: the `fetch` of the runtime. */
	fetch?: Fetch | undefined;
	/**
	 * More options for every call of `fetch`, for example Bun's `proxy`, or undici's `dispatcher` with the
	 * `fetch` of the same undici. They cannot replace method, headers, body,
	 * signal or redirect.
	 */
	fetchOptions?: Readonly<Record<string, unknown>> | undefined;
	/** The largest response body, in bytes after decompression. Default: 33,554,432 (32 MiB). */
	maxResponseSize?: number | undefined;
	/** Called after every attempt, for metrics and traces. What it throws is ignored. */
	onAttempt?: ((attempt: Attempt) => unknown) | undefined;
	/** Receives a line for each attempt, for example `console`. Default: none. */
	logger?: Logger | undefined;
	/**
	 * The least severe lines to log: `debug` for every attempt, `warn` for retries, `error` for failed
	 * requests, or `off`. Default: the environment variable `BOARD_ACCESS_LOG`, which also logs to the
	 * console if there is no `logger`; otherwise `warn` with a `logger`.
	 */
	logLevel?: LogLevel | undefined;
	/** Allows plain `http` to other machines. Others on the network can then read the key. */
	allowInsecureHttp?: boolean | undefined;
	/** Allows an API key in a browser, where every visitor can read it. */
	dangerouslyAllowBrowser?: boolean | undefined;
}

/** Settings for a single request, in place of those of the client. */
export interface RequestOptions
	extends Pick<BoardAccessOptions, 'timeout' | 'attemptTimeout' | 'maxRetries' | 'headers'> {
	/** Aborts the request, which then rejects with the signal's own reason. */
	signal?: AbortSignal | undefined;
}

/** Settings for a single request that creates something. */
export interface CreateOptions extends RequestOptions {
	/**
	 * Identifies this creation, so that the service carries it out once however often it is sent.
	 * With it, a creation is also retried when it is unknown whether the first attempt succeeded.
	 */
	idempotencyKey?: string | undefined;
}

export interface Settings {
	apiKey: string | ApiKeyProvider | null;
	baseUrl: URL;
	timeout: number;
	attemptTimeout: number | undefined;
	maxRetries: number | undefined;
	headers: Readonly<Record<string, string | null>>;
	fetch: Fetch | undefined;
	fetchOptions: Readonly<Record<string, unknown>> | undefined;
	maxResponseSize: number;
	observers: readonly Observer[];
}

export function readSettings(options: BoardAccessOptions): Settings {
	const { attemptTimeout, maxRetries, fetch, fetchOptions, onAttempt } = options;
	const { maxResponseSize = 2 ** 25 } = options;
	const log = readLog(options);
	return {
		apiKey: readKeyOption(options),
		baseUrl: readAddressOption(options),
		timeout: readTimeout(options.timeout ?? 30_000),
		attemptTimeout: given(attemptTimeout, (value) => readTimeout(value, 'attemptTimeout')),
		maxRetries: given(maxRetries, readMaxRetries),
		headers: readHeaders(options.headers ?? {}),
		fetch: readOption('fetch', fetch, 'function'),
		fetchOptions: readFetchOptions(fetchOptions),
		maxResponseSize: readNumber('maxResponseSize', maxResponseSize, 1, Number.MAX_SAFE_INTEGER),
		observers: [readOption('onAttempt', onAttempt, 'function'), log].filter(
			(each) => each !== undefined,
		),
	};
}

function given<Value>(value: Value | undefined, read: (value: Value) => Value) {
	return value === undefined ? undefined : read(value);
}

/** The options of a client with some of them changed; one that is undefined keeps its value. */
export function mergeOptions(options: BoardAccessOptions, changes: BoardAccessOptions) {
	const headers = { ...readHeaders(options.headers ?? {}), ...readHeaders(changes.headers ?? {}) };
	return { ...options, ...defined(changes), headers } satisfies BoardAccessOptions;
}

export function readTimeout(value: number, name = 'timeout') {
	return readNumber(name, value, 1, longestTimeout);
}

export function readMaxRetries(value: number) {
	return readNumber('maxRetries', value, 0, 100);
}

/**
 * The headers in lower case, so that none is sent twice. They are checked here, because a runtime's
 * own message quotes the value.
 */
export function readHeaders(headers: HeadersInput) {
	const read: Record<string, string | null> = {};
	for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
			throw invalidOption('headers has a name that is not valid in HTTP');
		}
		if (value === undefined) continue;
		if (value !== null && (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value))) {
			throw invalidOption(`headers has a value for ${name} that is not valid in HTTP`);
		}
		read[name.toLowerCase()] = value;
	}
	return read;
}

function isIterable(headers: HeadersInput): headers is Extract<HeadersInput, Iterable<unknown>> {
	return Symbol.iterator in headers;
}

function invalidOption(message: string) {
	return new ConfigurationError(message, { code: 'option_invalid' });
}

function readAddressOption(options: BoardAccessOptions) {
	const source = options.baseUrl === undefined ? 'SERVICE_BASE_URL' : 'the option baseUrl';
	const given = options.baseUrl ?? fromEnvironment('SERVICE_BASE_URL') ?? '';
	return readBaseUrl(given, source, options);
}

function readKeyOption({ apiKey, dangerouslyAllowBrowser }: BoardAccessOptions) {
	if (apiKey === null) return null;
	if (isBrowser() && !dangerouslyAllowBrowser) {
		throw new ConfigurationError(
			'An API key in a browser can be read by every visitor of the page',
			{
				code: 'browser_refused',
				hint: 'Pass apiKey: null to use the session cookie, or set dangerouslyAllowBrowser.',
			},
		);
	}
	if (typeof apiKey === 'function') return apiKey;
	if (apiKey !== undefined) return readApiKey(apiKey, 'the option apiKey');
	const found = fromEnvironment('SERVICE_API_KEY');
	if (found !== undefined) return readApiKey(found, 'SERVICE_API_KEY');
	throw new ConfigurationError('There is no API key: set SERVICE_API_KEY or pass apiKey', {
		code: 'api_key_missing',
		hint: 'Create one on the page API keys of the web UI. The full key is shown only once.',
	});
}

function readLog({ logger, logLevel }: BoardAccessOptions) {
	const level = logLevel ?? fromEnvironment('BOARD_ACCESS_LOG') ?? (logger ? 'warn' : 'off');
	const known = logLevels.find((each) => each === level.trim().toLowerCase());
	// A misspelled variable must not stop a program; a misspelled option is noticed when the code is written.
	if (known === undefined && logLevel !== undefined) {
		throw invalidOption(`logLevel must be one of ${logLevels.join(', ')}`);
	}
	return createLog(readOption('logger', logger, 'object') ?? console, known ?? 'warn');
}

function readFetchOptions(options: BoardAccessOptions['fetchOptions']) {
	const { dispatcher } = readOption('fetchOptions', options, 'object') ?? {};
	// fetch finds it out too late to say whether the request was sent.
	if (dispatcher !== undefined && typeof fieldsOf(dispatcher).dispatch !== 'function') {
		throw invalidOption('fetchOptions.dispatcher must have a method dispatch');
	}
	return options;
}

function readNumber(name: string, value: number, least: number, most: number) {
	if (typeof value === 'number' && value >= least && value <= most) return value;
	throw invalidOption(`${name} must be a number from ${least} to ${most}`);
}

function readOption<Value>(name: string, value: Value, type: 'function' | 'object') {
	if (value === undefined || (value !== null && typeof value === type)) return value;
	throw invalidOption(`${name} must be of type ${type}`);
}

function fromEnvironment(name: string): string | undefined {
	try {
		return globalThis.process?.env?.[name];
	} catch {
		return undefined; // Deno without the permission to read it
	}
}
