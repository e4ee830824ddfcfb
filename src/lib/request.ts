// Carries out one call: builds the request, sends it until it is worth no other try, reads the answer.
import { version } from '../../package.json';
import { readApiKey } from './api-key.ts';
import { Deadline } from './deadline.ts';
import { BoardAccessError, ConfigurationError, InputError } from '../errors.ts';
import { History } from './attempts.ts';
import { interpret, requestIdOf } from './response.ts';
import { queryString } from './path.ts';
import { redactedCause } from './redact.ts';
import { rememberResponse } from './response-info.ts';
import { isWorthRetrying, waitAfter } from './retry.ts';
import { type Answer, type Outgoing, send } from './send.ts';
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
interface Call<Result> {
	method: Method;
	path: string;
	query?: Readonly<Record<string, unknown>>;
	json?: unknown;
	/** Another key than the client's, for the call that proves a new one. */
	apiKey?: string | undefined;
	options?: CreateOptions | undefined;
	/** Makes the result of the answer's JSON, or throws. */
	read: (body: unknown) => Result;
}

export type Request = <Result>(call: Call<Result>) => Promise<Result>;

const bodyOf = (json: unknown) => {
	try {
		return json === undefined ? undefined : JSON.stringify(json);
	} catch {
		throw new InputError([{ path: 'json', message: 'cannot be written as JSON' }]);
	}
};

const idempotencyHeader = (key: string) => {
	if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key))
		return { 'idempotency-key': key };
	throw new InputError([
		{ path: 'idempotencyKey', message: 'must be 1 to 255 printable ASCII characters' },
	]);
};

/** A session cookie would win over the key, so it stays at home when there is a key. */
const credentialsFor = (apiKey: Settings['apiKey']) => {
	if (apiKey === null) return 'include';
	return isBrowser() ? 'omit' : undefined;
};

type Build = (call: Call<unknown>) => Outgoing;

/** What is the same for all calls is put together once. */
const createBuild = ({ baseUrl, headers, apiKey, fetch }: Settings): Build => {
	const base = baseUrl.href.replace(/\/$/, '');
	const userAgent = isBrowser() ? {} : { 'user-agent': `board-access/${version}` };
	const common = { accept: 'application/json', ...userAgent, ...headers };
	const credentials = credentialsFor(apiKey);
	return ({ method, path, query, json, options }) => {
		const body = bodyOf(json);
		return {
			method,
			url: base + path + (query ? queryString(query) : ''),
			headers: {
				...common,
				...(options?.headers && readHeaders(options.headers)),
				...(body !== undefined && { 'content-type': 'application/json' }),
				...(options?.idempotencyKey !== undefined && idempotencyHeader(options.idempotencyKey)),
			},
			body,
			credentials,
			fetch,
		};
	};
};

const askForKey = async (apiKey: Settings['apiKey']) => {
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
};

const sendWithKey = async (outgoing: Outgoing, apiKey: Settings['apiKey'], signal: AbortSignal) => {
	const key = await askForKey(apiKey);
	if (key === null) return await send(outgoing, signal);
	const headers = { ...outgoing.headers, authorization: `Bearer ${key}` };
	return await send({ ...outgoing, headers }, signal);
};

const isRepeatable = ({ method, options }: Call<unknown>) =>
	/^(GET|PUT|DELETE)$/.test(method) || options?.idempotencyKey !== undefined;

const responseInfo = ({ status, headers }: Answer) => ({
	status,
	headers,
	requestId: requestIdOf(headers),
});

/** The function through which every method of the client goes to the service. */
export const createRequest = (settings: Settings): Request => {
	const build = createBuild(settings);
	return async (call) => {
		const outgoing = build(call);
		const apiKey = call.apiKey ?? settings.apiKey;
		const maxRetries = readMaxRetries(call.options?.maxRetries ?? settings.maxRetries);
		const timeout = readTimeout(call.options?.timeout ?? settings.timeout);
		const deadline = new Deadline(timeout, call.options?.signal);
		const history = new History(call.method, call.path, settings.onAttempt);

		const waitBeforeNext = (error: unknown) => {
			if (!(error instanceof BoardAccessError) || history.length >= maxRetries) return undefined;
			if (!isWorthRetrying(error, isRepeatable(call))) return undefined;
			const wait = waitAfter(error, history.length + 1);
			return wait < deadline.remaining ? wait : undefined;
		};

		try {
			for (;;) {
				const startedAt = performance.now();
				let answer: Answer | undefined;
				let retryInMs: number | undefined;
				try {
					answer = await deadline.race(sendWithKey(outgoing, apiKey, deadline.signal));
					const result = call.read(interpret(answer));
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
};
