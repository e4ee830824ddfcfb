// Carries out one call: builds the request, sends it until it is worth no other try, reads the answer.
import { version } from '../../package.json';
import { BoardAccessError, ConfigurationError, InputError, invalidResponse } from '../errors.ts';
import { readApiKey } from './api-key.ts';
import { Attempts } from './attempts.ts';
import { Deadline } from './deadline.ts';
import { queryString } from './path.ts';
import { redactedCause } from './redact.ts';
import { readResponse, requestIdOf } from './response.ts';
import { rememberResponse } from './response-info.ts';
import { isWorthRetrying, waitAfter } from './retry.ts';
import {
	openStream,
	type PreparedRequest,
	type ReceivedResponse,
	type ResponseStream,
	type Send,
	send,
} from './send.ts';
import {
	type CreateOptions,
	isBrowser,
	readHeaders,
	readMaxRetries,
	readTimeout,
	type Settings,
} from './settings.ts';

/** The HTTP methods that a call can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the API, as a resource describes it. */
interface ApiRequest<Result> {
	method: Method;
	path: string;
	query?: Readonly<Record<string, unknown>>;
	json?: unknown;
	/** What is sent as the body as it is, instead of JSON. */
	bytes?: Uint8Array<ArrayBuffer> | undefined;
	/** Another key than the client's, for the call that proves a new one. */
	apiKey?: string | undefined;
	options?: CreateOptions | undefined;
	/** Makes the result of the answer's JSON, or throws. */
	read: (body: unknown) => Result;
}

export type RequestFunction = <Result>(call: ApiRequest<Result>) => Promise<Result>;

/** One response that is read while it lasts. */
interface StreamRequest {
	path: string;
	query?: Readonly<Record<string, unknown>>;
	headers?: Readonly<Record<string, string>>;
	signal: AbortSignal;
}

export type StreamFunction = (
	call: StreamRequest,
) => Promise<{ headers: Headers; body: ReadableStream<Uint8Array> }>;

type Build = (call: ApiRequest<unknown>) => PreparedRequest;

/** The function through which every method of the client goes to the service. */
export function createRequestFunction(settings: Settings): RequestFunction {
	const build = createBuild(settings);
	return async (call) => {
		const outgoing = build(call);
		const apiKey = call.apiKey ?? settings.apiKey;
		const maxRetries = readMaxRetries(call.options?.maxRetries ?? settings.maxRetries);
		const timeout = readTimeout(call.options?.timeout ?? settings.timeout);
		const deadline = new Deadline(timeout, call.options?.signal);
		const history = new Attempts(call.method, call.path, settings.onAttempt);

		const waitBeforeNext = (error: unknown) => {
			if (!(error instanceof BoardAccessError) || history.length >= maxRetries) return undefined;
			if (!isWorthRetrying(error, isRepeatable(call))) return undefined;
			const wait = waitAfter(error, history.length + 1);
			return wait < deadline.remaining ? wait : undefined;
		};

		try {
			for (;;) {
				const startedAt = performance.now();
				let answer: ReceivedResponse | undefined;
				let retryInMs: number | undefined;
				try {
					answer = await deadline.race(sendWithKey(outgoing, apiKey, deadline.signal, send));
					const result = call.read(readResponse(answer));
					history.add({ startedAt, answer });
					rememberResponse(result, responseInfo(answer));
					return result;
				} catch (error) {
					retryInMs = waitBeforeNext(error);
					history.add({ startedAt, answer, error, retryInMs });
					if (retryInMs === undefined) throw error;
				}
				await deadline.wait(retryInMs);
			}
		} catch (error) {
			history.attachTo(error);
			throw error;
		} finally {
			deadline.end();
		}
	};
}

/** The function for responses that go on and on: one attempt, ended by the signal only. */
export function createStreamFunction(settings: Settings): StreamFunction {
	const build = createBuild(settings);
	return async ({ path, query, headers, signal }) => {
		const outgoing = build({
			method: 'GET',
			path,
			...(query && { query }),
			options: { headers },
			read: () => undefined,
		});
		const response = await sendWithKey(outgoing, settings.apiKey, signal, openStream);
		const { status, body } = response;
		if (status === 200 && body) return { headers: response.headers, body };
		readResponse({ ...response, text: await response.text() });
		throw invalidResponse('The response is not a stream');
	};
}

function bodyOf(json: unknown) {
	try {
		return json === undefined ? undefined : JSON.stringify(json);
	} catch {
		throw new InputError([{ path: 'json', message: 'cannot be written as JSON' }]);
	}
}

function idempotencyHeader(key: string) {
	if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key))
		return { 'idempotency-key': key };
	throw new InputError([
		{ path: 'idempotencyKey', message: 'must be 1 to 255 printable ASCII characters' },
	]);
}

/** A session cookie would win over the key, so it stays at home when there is a key. */
function credentialsFor(apiKey: Settings['apiKey']) {
	if (apiKey === null) return 'include';
	return isBrowser() ? 'omit' : undefined;
}

/** What is the same for all calls is put together once. */
function createBuild({ baseUrl, headers, apiKey, fetch }: Settings): Build {
	const base = baseUrl.href.replace(/\/$/, '');
	const userAgent = isBrowser() ? {} : { 'user-agent': `board-access/${version}` };
	const common = { accept: 'application/json', ...userAgent, ...headers };
	const credentials = credentialsFor(apiKey);
	return ({ method, path, query, json, bytes, options }) => {
		const body = bytes ?? bodyOf(json);
		return {
			method,
			url: base + path + (query ? queryString(query) : ''),
			headers: {
				...common,
				...(options?.headers && readHeaders(options.headers)),
				...(body !== undefined && {
					'content-type': bytes ? 'application/octet-stream' : 'application/json',
				}),
				...(options?.idempotencyKey !== undefined && idempotencyHeader(options.idempotencyKey)),
			},
			body,
			credentials,
			fetch,
		};
	};
}

async function resolveApiKey(apiKey: Settings['apiKey']) {
	if (typeof apiKey !== 'function') return apiKey;
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

async function sendWithKey<Received = ReceivedResponse>(
	outgoing: PreparedRequest,
	apiKey: Settings['apiKey'],
	signal: AbortSignal,
	send: Send<Received>,
) {
	const key = await resolveApiKey(apiKey);
	if (key === null) return await send(outgoing, signal);
	const headers = { ...outgoing.headers, authorization: `Bearer ${key}` };
	return await send({ ...outgoing, headers }, signal);
}

function isRepeatable({ method, options }: ApiRequest<unknown>) {
	return /^(GET|PUT|DELETE)$/.test(method) || options?.idempotencyKey !== undefined;
}

function responseInfo({ status, headers }: ReceivedResponse) {
	return {
		status,
		headers,
		requestId: requestIdOf(headers),
	};
}
