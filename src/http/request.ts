// Carries out one request of the API: builds it, sends it until no retry helps, reads the response.
import { version } from '../../package.json';
import { redact } from '../contract/printable.ts';
import { BoardAccessError } from '../errors/base.ts';
import { ConfigurationError, RequestTimeoutError } from '../errors/errors.ts';
import { redactedCause, redactorFor } from '../errors/redact.ts';
import { readApiKey } from '../settings/api-key.ts';
import { addressOf, isBrowser } from '../settings/base-url.ts';
import { readCallOptions } from '../settings/option-rules.ts';
import {
	type ApiKeyProvider,
	type CreateOptions,
	readHeaders,
	type Settings,
} from '../settings/settings.ts';
import { createAttempts } from './attempts.ts';
import type { Body, PreparedRequest, ReceivedResponse, Send } from './fetch.ts';
import { type OutgoingRequest, withHook } from './hooks.ts';
import { queryString } from './path.ts';
import { attachResponse, readResponse, rememberResponse, responseInfo } from './response.ts';
import { isWorthRetrying, waitAfter } from './retry.ts';
import { abortable, followSignals, pause } from './signals.ts';

/** The HTTP methods that a request can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a request of the API sends. */
export interface ApiCall {
	method: Method;
	path: string;
	/** The path of the operation; missing for a path of the caller, whose errors keep the names of the service. */
	route?: string;
	query?: Readonly<Record<string, unknown>> | undefined;
	/** JSON as text, or bytes. */
	body?: Body | undefined;
	/** A response of bytes is returned before its body is read; its limits end with the headers. */
	asStream?: boolean | undefined;
	/** Retried through an outage of at least 15 seconds, unless the caller says how often. */
	isPatient?: boolean | undefined;
	options?: CreateOptions | undefined;
}

/** Makes the result from the response body, or throws; `sentAt` is when the last attempt began. */
export type Read<Body, Result> = (
	body: Body,
	/** The path of what is read within the body: none. */
	where: readonly PropertyKey[],
	response: ReceivedResponse & { sentAt: number },
) => Result;

/** A request, and what is made of its response. */
interface ApiRequest<Result, Body> extends ApiCall {
	read: Read<Body, Result>;
	/** Returns the body as text, without reading it as JSON. */
	asText?: boolean;
}

export type RequestFunction = <Result, Body>(request: ApiRequest<Result, Body>) => Promise<Result>;

/** How the methods of the client reach the service; most need only `request`. */
export interface Transport {
	request: RequestFunction;
	settings: Settings;
}

const send: Send = async (request, signal) => {
	// With the first request, because loading ky initializes the whole fetch of Node.
	const loaded = await import('./send.ts');
	signal.throwIfAborted();
	return await loaded.send(request, signal);
};

export function createTransport(settings: Settings): Transport {
	return {
		request: async (request) => {
			const exchange = prepare(request, settings);
			if (!settings.onRequest) return await carryOut(request, exchange);
			const outgoing = exchange.outgoing();
			return await withHook(settings.onRequest, outgoing, (onAttempt) => {
				exchange.addHeaders(outgoing);
				if (onAttempt) exchange.observers.push(onAttempt);
				return carryOut(request, exchange);
			});
		},
		settings,
	};
}

async function carryOut<Result, Body>(request: ApiRequest<Result, Body>, exchange: Exchange) {
	try {
		for (;;) {
			const done = await attempt(request, exchange);
			if ('result' in done) return done.result;
			await pause(done.retryInMs, request.options?.signal);
		}
	} catch (error) {
		exchange.attempts.attachAttempts(error);
		throw error;
	}
}

type Exchange = ReturnType<typeof prepare>;

function prepare(request: ApiCall, settings: Settings) {
	const { method, path, route, isPatient } = request;
	const options = readCallOptions(request.options);
	const call = { method, path, ...(route !== undefined && { route }) };
	const keyless = buildRequest(request, settings);
	const limits = timeoutsOf(request, settings);
	const observers = [...settings.observers];
	return {
		request,
		/** What a hook sees of the request. */
		outgoing: () => ({
			...call,
			url: keyless.url.replace(/\?.*/, ''),
			headers: Object.fromEntries(
				Object.entries(keyless.headers).map(([name, value]) => [name, redact(value)]),
			),
		}),
		/** Those that are set stay. */
		addHeaders(outgoing: OutgoingRequest) {
			keyless.headers = { ...addedHeaders(outgoing), ...keyless.headers };
		},
		observers,
		maxRetries: options.maxRetries ?? settings.maxRetries ?? (isPatient ? 5 : 2),
		attempts: createAttempts(call, observers),
		limits,
		/** When the time of all attempts together is over, on the clock of `performance`. */
		endsAt: performance.now() + limits.timeout,
		send: async (signal: AbortSignal) =>
			await send(await withKey(keyless, settings.apiKey), signal),
	};
}

/** Throws the error of an attempt that no other one follows. */
async function attempt<Result, Body>(request: ApiRequest<Result, Body>, exchange: Exchange) {
	const { attempts, send } = exchange;
	const startedAt = performance.now();
	const { signal, end, isLast } = startAttempt(exchange);
	let response: ReceivedResponse | undefined;
	try {
		response = await abortable(send(signal), signal);
		const body = readResponse(response, request) as Body; // `read` checks it
		const result = request.read(body, [], { ...response, sentAt: startedAt });
		attempts.addAttempt({ startedAt, response });
		rememberResponse(result, responseInfo(response));
		return { result };
	} catch (error) {
		if (response) attachResponse(error, response);
		const isOver = isLast && error instanceof RequestTimeoutError;
		const retryInMs = isOver ? undefined : waitBeforeNext(error, exchange);
		attempts.addAttempt({ startedAt, response, error, retryInMs });
		if (retryInMs === undefined) throw error;
		return { retryInMs };
	} finally {
		end();
	}
}

/** `isLast`: its limit is that of all attempts, so that no other follows when it is reached. */
function startAttempt({ request, limits, endsAt }: Exchange) {
	const { timeout, attemptTimeout } = limits;
	const caller = request.options?.signal;
	caller?.throwIfAborted();
	const left = Math.max(1, endsAt - performance.now());
	const isLast = left <= attemptTimeout;
	const late = () => new RequestTimeoutError(isLast ? timeout : attemptTimeout);
	const limit = { milliseconds: isLast ? left : attemptTimeout, late };
	return { ...followSignals([caller], limit), isLast };
}

/** Undefined if the request is not retried. */
function waitBeforeNext(error: unknown, exchange: Exchange) {
	const { request, maxRetries, endsAt } = exchange;
	const { length } = exchange.attempts.attempts;
	if (!(error instanceof BoardAccessError) || length >= maxRetries) return undefined;
	if (!isWorthRetrying(error, canRepeat(request))) return undefined;
	const wait = waitAfter(error, length + 1);
	return wait < endsAt - performance.now() ? wait : undefined;
}

/**
 * A request that cannot be repeated has the whole `timeout` for its one attempt, unless the caller sets a
 * limit. The seconds that a request asks the service to wait for a change do not count.
 */
function timeoutsOf(request: ApiCall, settings: Settings) {
	const { options = {}, query } = request;
	const timeout = options.timeout ?? settings.timeout;
	const given = options.attemptTimeout ?? settings.attemptTimeout;
	const usual = canRepeat(request) ? Math.max(10_000, timeout / 3) : timeout;
	const waiting = Number(query?.wait ?? 0) * 1000 || 0;
	return { timeout, attemptTimeout: (given ?? usual) + waiting };
}

function contentTypeOf(body: Body) {
	return typeof body === 'string' ? 'application/json' : 'application/octet-stream';
}

/** A session cookie would take precedence over the key, so cookies are not sent with a key. */
function credentialsFor(apiKey: Settings['apiKey']) {
	if (apiKey === null) return 'include';
	return isBrowser() ? 'omit' : undefined;
}

/** A request without what depends on the API key. */
type KeylessRequest = Omit<PreparedRequest, 'redact'>;

function buildRequest(
	{ method, path, query = {}, body, asStream, options = {} }: ApiCall,
	settings: Settings,
): KeylessRequest {
	const { headers: own = {}, idempotencyKey } = options;
	const { baseUrl, apiKey, fetch, fetchOptions, maxResponseSize } = settings;
	const credentials = credentialsFor(apiKey);
	return {
		url: addressOf(baseUrl, path) + queryString(query),
		headers: {
			...withoutNulls({
				accept: asStream ? 'application/octet-stream' : 'application/json',
				...(!isBrowser() && { 'user-agent': `board-access/${version}` }),
				...settings.headers,
				...readHeaders(own),
			}),
			...(body !== undefined && { 'content-type': contentTypeOf(body) }),
			...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
		},
		init: {
			...fetchOptions,
			method,
			...(body !== undefined && { body }),
			...(credentials && { credentials }),
			redirect: 'manual',
		},
		fetch,
		maxResponseSize,
		asStream,
	};
}

/** Headers that belong to the connection, which fetch sets itself. */
const ofConnection =
	/^(connection|content-length|expect|host|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade)$/;

/** What a hook has added must not break the request. */
function addedHeaders(outgoing: OutgoingRequest) {
	try {
		const added = Object.entries(withoutNulls(readHeaders(outgoing.headers)));
		return Object.fromEntries(added.filter(([name]) => !ofConnection.test(name)));
	} catch {
		return {};
	}
}

/** A header set to null is not sent. */
function withoutNulls(headers: Readonly<Record<string, string | null>>) {
	const kept = Object.entries(headers).filter(
		(header): header is [string, string] => header[1] !== null,
	);
	return Object.fromEntries(kept);
}

/** Adds the key, and the redactor that knows it. */
async function withKey(
	request: KeylessRequest,
	given: Settings['apiKey'],
): Promise<PreparedRequest> {
	const key = typeof given === 'function' ? await providedBy(given) : given;
	const authorization = key !== null && { authorization: `Bearer ${key}` };
	const headers = { ...request.headers, ...authorization };
	return { ...request, headers, redact: redactorFor(key) };
}

async function providedBy(apiKey: ApiKeyProvider) {
	try {
		return readApiKey(await apiKey(), 'the function apiKey');
	} catch (error) {
		if (error instanceof ConfigurationError) throw error;
		throw new ConfigurationError('The function apiKey failed', {
			code: 'api_key_missing',
			cause: redactedCause(error),
		});
	}
}

function canRepeat({ method, options }: ApiCall) {
	return /^(GET|PUT|DELETE)$/.test(method) || options?.idempotencyKey !== undefined;
}
