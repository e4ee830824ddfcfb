// Turns the options of a client and the environment into settings that are known to be right.

import { type Attempt, ConfigurationError } from '../errors.ts';
import { readApiKey } from './api-key.ts';
import { readBaseUrl } from './base-url.ts';

/** Asked before each try; may be asynchronous, for keys that are kept in a vault. */
export type ApiKeyProvider = () => string | Promise<string>;

/** How a {@link BoardAccess} client is set up. Everything is optional. */
export interface BoardAccessOptions {
	/**
	 * The API key, or a function that gives it, or `null` to send none and rely on the session
	 * cookie of the web UI. Default: the environment variable `SERVICE_API_KEY`.
	 */
	apiKey?: string | ApiKeyProvider | null | undefined;
	/** The address of the service. Default: the environment variable `SERVICE_BASE_URL`. */
	baseUrl?: string | URL | undefined;
	/** Milliseconds that a call may take, with all tries, waits and the body. Default: 30,000. */
	timeout?: number | undefined;
	/** How often a failed call is tried again. Default: 2. */
	maxRetries?: number | undefined;
	/** Headers to send with every call. */
	headers?: Readonly<Record<string, string>> | undefined;
	/** What sends the requests. Default: the `fetch` of the runtime. */
	fetch?: typeof globalThis.fetch | undefined;
	/** Told of every try, for logs, metrics and traces. What it throws is ignored. */
	onAttempt?: ((attempt: Attempt) => void) | undefined;
	/** Allows plain `http` to other machines. The key can then be read on the way. */
	allowInsecureHttp?: boolean | undefined;
	/** Allows an API key in a browser, where every visitor can read it. */
	dangerouslyAllowBrowser?: boolean | undefined;
}

/** What can be set for a single call. */
export interface RequestOptions {
	/** Ends the call early; it rejects with the signal's own reason. */
	signal?: AbortSignal | undefined;
	/** Milliseconds that this call may take. */
	timeout?: number | undefined;
	/** How often this call may be tried again. */
	maxRetries?: number | undefined;
	/** More headers for this call. */
	headers?: Readonly<Record<string, string>> | undefined;
}

/** What can be set for a single call that creates something. */
export interface CreateOptions extends RequestOptions {
	/**
	 * Names this creation, so that the service carries it out once however often it is sent.
	 * With it, a creation is also retried when it is unknown whether the first try came through.
	 */
	idempotencyKey?: string | undefined;
}

export interface Settings {
	apiKey: string | ApiKeyProvider | null;
	baseUrl: URL;
	timeout: number;
	maxRetries: number;
	headers: Readonly<Record<string, string>>;
	fetch: typeof globalThis.fetch | undefined;
	onAttempt: ((attempt: Attempt) => void) | undefined;
}

const longestTimeout = 2 ** 31 - 1;

/** A page or one of its workers: visitors can read what runs there, and cookies go along. */
export function isBrowser() {
	return ('window' in globalThis && 'document' in globalThis) || 'importScripts' in globalThis;
}

function wrong(code: string, message: string, hint?: string) {
	return new ConfigurationError(message, { code, hint });
}

function readAddressOption(options: BoardAccessOptions) {
	const source = options.baseUrl === undefined ? 'SERVICE_BASE_URL' : 'the option baseUrl';
	const given = options.baseUrl ?? fromEnvironment('SERVICE_BASE_URL') ?? '';
	return readBaseUrl(given, source, options);
}

function readKeyOption({ apiKey, dangerouslyAllowBrowser }: BoardAccessOptions) {
	if (apiKey === null) return null;
	if (isBrowser() && !dangerouslyAllowBrowser) {
		throw wrong(
			'browser_refused',
			'An API key in a browser can be read by every visitor of the page',
			'Pass apiKey: null to use the session cookie, or set dangerouslyAllowBrowser.',
		);
	}
	if (typeof apiKey === 'function') return apiKey;
	if (apiKey !== undefined) return readApiKey(apiKey, 'the option apiKey');
	const found = fromEnvironment('SERVICE_API_KEY');
	if (found !== undefined) return readApiKey(found, 'SERVICE_API_KEY');
	throw wrong(
		'api_key_missing',
		'There is no API key: set SERVICE_API_KEY or pass apiKey',
		'Create one on the API Keys page of the web UI; it is shown once.',
	);
}

function readNumber(name: string, value: number, least: number, most: number) {
	if (typeof value === 'number' && value >= least && value <= most) return value;
	throw wrong('option_invalid', `${name} must be a number from ${least} to ${most}`);
}

export function readTimeout(value: number) {
	return readNumber('timeout', value, 1, longestTimeout);
}

export function readMaxRetries(value: number) {
	return readNumber('maxRetries', value, 0, 100);
}

/**
 * The headers in lower case, so that none is sent twice. They are checked here, because a runtime's
 * own message quotes the value.
 */
export function readHeaders(headers: Readonly<Record<string, string>>) {
	const read: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
			throw wrong('option_invalid', 'headers has a name that is not one of an HTTP header');
		}
		if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
			throw wrong('option_invalid', `headers has a value for ${name} that cannot be sent`);
		}
		read[name.toLowerCase()] = value;
	}
	return read;
}

export function readSettings(options: BoardAccessOptions): Settings {
	return {
		apiKey: readKeyOption(options),
		baseUrl: readAddressOption(options),
		timeout: readTimeout(options.timeout ?? 30_000),
		maxRetries: readMaxRetries(options.maxRetries ?? 2),
		headers: readHeaders(options.headers ?? {}),
		fetch: options.fetch,
		onAttempt: options.onAttempt,
	};
}

function fromEnvironment(name: string): string | undefined {
	try {
		return globalThis.process?.env?.[name];
	} catch {
		return undefined; // Deno without the permission to read it
	}
}
