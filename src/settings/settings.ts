// Reads the settings of a client from its options and the environment.
import type { LinkSocket } from '../contract/channel/links.ts';
import type { Attempt } from '../errors/details.ts';
import { ConfigurationError, InputError } from '../errors/errors.ts';
import type { Observer } from '../http/attempts.ts';
import type { Fetch } from '../http/fetch.ts';
import type { RequestHook } from '../http/hooks.ts';
import { defined } from '../records/defined.ts';
import { fieldsOf } from '../records/json.ts';
import { readApiKey } from './api-key.ts';
import { isBrowser, readBaseUrl } from './base-url.ts';
import { createLog, type Logger, type LogLevel, logLevels } from './log.ts';
import { clientRules, readOptions } from './option-rules.ts';

/** Returns the API key; called before each attempt, so the key can come from a vault. */
export type ApiKeyProvider = () => string | Promise<string>;

/** Headers as an object, as pairs, or as `Headers`. `null` removes a header, `undefined` keeps it. */
export type HeadersInput =
	| Readonly<Record<string, string | null | undefined>>
	| Iterable<readonly [name: string, value: string | null | undefined]>;

/** The class `WebSocket` of a runtime, or another one with its interface. */
export type WebSocketConstructor = LinkSocket;

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
	 * Opens channels. Default: the `WebSocket` of the runtime or, with a `fetch` of your own, none: requests
	 * carry them then.
	 */
	webSocket?: WebSocketConstructor | undefined;
	/**
	 * More options for every call of `fetch`, for example Bun's `proxy`, or undici's `dispatcher` with the
	 * `fetch` of the same undici. They cannot replace method, headers, body,
	 * signal or redirect.
	 */
	fetchOptions?: Readonly<Record<string, unknown>> | undefined;
	/** The largest response body, in bytes after decompression. Default: 33,554,432 (32 MiB). */
	maxResponseSize?: number | undefined;
	/** Called before each request, which it may add headers to, and told how it ends: for traces. */
	onRequest?: RequestHook | undefined;
	/** Called after every attempt, for metrics. What it throws is ignored. */
	onAttempt?: ((attempt: Attempt) => unknown) | undefined;
	/** Receives each attempt, as fields and as a message: pino, winston, `console` or your own. Default: none. */
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

/** The options of a client with the defaults. */
export interface Settings
	extends Pick<
		BoardAccessOptions,
		'attemptTimeout' | 'maxRetries' | 'fetch' | 'fetchOptions' | 'onRequest' | 'webSocket'
	> {
	apiKey: string | ApiKeyProvider | null;
	baseUrl: URL;
	timeout: number;
	headers: Readonly<Record<string, string | null>>;
	maxResponseSize: number;
	observers: readonly Observer[];
}

export function readSettings(given: BoardAccessOptions): Settings {
	// Checked here, so that no lease fails after it has a board.
	if (!Promise.withResolvers) throw runtimeTooOld();
	const options = checkedOptions(given);
	const { timeout = 30_000, maxResponseSize = 2 ** 25, headers = {}, onAttempt } = options;
	const usual = options.fetch ? undefined : globalThis.WebSocket;
	return {
		...options,
		apiKey: readKeyOption(options),
		baseUrl: readAddressOption(options),
		timeout,
		headers: readHeaders(headers),
		maxResponseSize,
		webSocket: options.webSocket ?? usual,
		observers: [onAttempt, readLog(options)].filter((each) => each !== undefined),
	};
}

/** An option that is undefined keeps its value. */
export function mergeOptions(options: BoardAccessOptions, changes: BoardAccessOptions) {
	const headers = { ...readHeaders(options.headers ?? {}), ...readHeaders(changes.headers ?? {}) };
	return { ...options, ...defined(changes), headers } satisfies BoardAccessOptions;
}

/** Throws a {@link ConfigurationError} for unknown and invalid options. */
export function checkedOptions(options: BoardAccessOptions) {
	try {
		readOptions(options, clientRules satisfies Record<keyof BoardAccessOptions, unknown>);
		readHeaders(options.headers ?? {});
		requireDispatcher(options);
		return options;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		throw new ConfigurationError(error.message, { code: 'option_invalid' });
	}
}

/** The headers in lower case, so that none is sent twice. Checked here, because a runtime would quote the value. */
export function readHeaders(headers: HeadersInput) {
	const read: Record<string, string | null> = {};
	for (const header of isIterable(headers) ? headers : Object.entries(headers)) {
		const [name, value] = Array.isArray(header) ? header : [];
		if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
			throw invalid('headers', 'has a name that is not valid in HTTP');
		}
		if (value === undefined) continue;
		if (value !== null && (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value))) {
			throw invalid('headers', `has a value for ${name} that is not valid in HTTP`);
		}
		read[name.toLowerCase()] = value;
	}
	return read;
}

function isIterable(headers: HeadersInput): headers is Extract<HeadersInput, Iterable<unknown>> {
	return Symbol.iterator in headers;
}

function invalid(path: string, message: string) {
	return new InputError([{ path, message }]);
}

function runtimeTooOld() {
	return new ConfigurationError('This runtime is too old for board-access', {
		code: 'runtime_unsupported',
		hint: 'Use Node.js 22 or later, or a browser of 2024 or later.',
	});
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
	// A misspelled variable must not stop a program.
	return createLog(logger ?? console, known ?? 'warn');
}

/** Checked here, because after an error of fetch it is not known whether the request was sent. */
function requireDispatcher({ fetchOptions: { dispatcher } = {} }: BoardAccessOptions) {
	if (dispatcher === undefined || typeof fieldsOf(dispatcher).dispatch === 'function') return;
	throw invalid('fetchOptions.dispatcher', 'must have a method dispatch');
}

function fromEnvironment(name: string): string | undefined {
	try {
		return globalThis.process?.env?.[name];
	} catch {
		return undefined; // Deno without the permission to read it
	}
}
