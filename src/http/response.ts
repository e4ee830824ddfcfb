// Reads a response: its result, or an error that says why there is none.
import { camelCase } from '../contract/names.ts';
import { printable } from '../contract/printable.ts';
import type { Issue } from '../errors/details.ts';
import { ApiError, invalidResponse, ResponseError } from '../errors/errors.ts';
import type { Redact } from '../errors/redact.ts';
import { defined } from '../records/defined.ts';
import { fieldsOf } from '../records/json.ts';
import type { ReceivedResponse, ResponseHead } from './fetch.ts';
import { retryMoment } from './retry.ts';

const notModified = 304;
const maxBody = 4096;

/** How much of an error is read; the service sends less. */
const maxRead = 16_384;
const maxIssues = 100;
const maxMessage = 300;

/** The service's identifier for the request. */
export function requestIdOf({ headers, redact }: ResponseHead) {
	const id = textOf(headers.get('x-request-id'));
	return id && redact(id);
}

/** The response that a result comes from. */
export interface ResponseInfo {
	/** The HTTP status. */
	readonly status: number;
	/** The headers of the response. */
	readonly headers: Headers;
	/** The service's identifier for the request, if it sent one. */
	readonly requestId: string | undefined;
}

const responses = new WeakMap<object, ResponseInfo>();

export function rememberResponse(result: unknown, response: ResponseInfo) {
	if (typeof result === 'object' && result !== null) responses.set(result, response);
}

/** What is made of a result has the same response. */
export function passResponse(from: object, to: object) {
	const response = responses.get(from);
	if (response) responses.set(to, response);
}

/**
 * The status, headers and request id of the response that a result comes from. For a whole list,
 * this is the response with its last page. `undefined` for anything else than a result of this client.
 *
 * @param result - A record, a page, or an array that a method of the client returned.
 *
 * @example
 * ```ts
 * const boards = await client.boards.list();
 * console.log(responseOf(boards)?.requestId);
 * ```
 */
export function responseOf(result: object): ResponseInfo | undefined {
	return responses.get(result);
}

/** What is kept about a response. */
export function responseInfo(response: ReceivedResponse): ResponseInfo {
	const { status, headers } = response;
	return { status, headers, requestId: requestIdOf(response) };
}

/** How the body is read. */
interface Reading {
	method?: string;
	asText?: boolean;
	/** Without it, errors keep the service's field names. */
	route?: string;
}

/** The JSON of a successful response, `undefined` if it has no body; throws for all others. */
export function readResponse(response: ReceivedResponse, reading: Reading): unknown {
	const { status, redirected, text } = response;
	const known = status === notModified && reading.method === 'GET';
	if (redirected || (status >= 300 && status < 400 && !known)) throw redirectError(response);
	if (status < 200 || status >= 400) throw apiError(response, reading);
	if (reading.asText) return text;
	if (text.trim() === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		throw invalidResponse(
			text.trimStart().startsWith('<')
				? 'The response is a web page, not JSON'
				: 'The response is not valid JSON',
		);
	}
}

/** Adds what is known about the response to an error that says it cannot be used. */
export function attachResponse(error: unknown, response: ResponseHead & { text?: string }) {
	if (!(error instanceof ResponseError)) return;
	const { status, text, redact } = response;
	const body = text === undefined ? undefined : visibleBody({ text, redact });
	Object.assign(error, defined({ status, requestId: requestIdOf(response), body }));
}

/** Reads the service's own form, RFC 9457, and a bare `{"message"}`. */
function apiError(response: ReceivedResponse, { route }: Reading) {
	const { status, headers, redact } = response;
	const clean = ([name, value]: [string, string]): [string, string] => [name, redact(value)];
	const { named, reworded, inOurWords } = route === undefined ? unchanged : inOurNames;
	const outer = fieldsOf(parsed(response));
	const fields = typeof outer.error === 'object' && outer.error ? fieldsOf(outer.error) : outer;
	const message =
		textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
	const [param, hint] = [textOf(fields.param), textOf(fields.hint)];
	const issues = issuesOf(fields.errors).map((issue) => ({ issue, ours: inOurWords(issue) }));
	const text = issues.reduce(
		// As a text, `$&` in it would be replaced, too.
		(text, { issue, ours }) => text.replace(sentenceOf(issue), () => sentenceOf(ours)),
		message?.slice(0, maxRead) ?? `The service responded with status ${status}`,
	);
	return new ApiError(sentence(reworded(text)), {
		status,
		code: textOf(fields.code) ?? `http_${status}`,
		hint: hint && reworded(hint),
		param: param && named(param),
		issues: issues.map(({ ours }) => ours),
		headers: new Headers(Array.from(headers, clean)),
		body: visibleBody(response),
		requestId: requestIdOf(response) ?? textOf(fields.request_id),
		retryAt: retryMoment(headers.get('retry-after')),
	});
}

function redirectError({ headers, redact }: ReceivedResponse) {
	const target = textOf(headers.get('location'));
	return new ResponseError(
		`The service redirects${target ? ` to ${sentence(redact(target))}` : ''}; the API key is not sent there`,
		{
			code: 'redirect_refused',
			hint: 'Set the base URL to the address that responds without a redirect.',
		},
	);
}

/** The body without keys: parsed if it is short JSON, otherwise text, truncated. */
function visibleBody(response: { text: string; redact: Redact }) {
	const visible = response.redact(response.text);
	return visible.length > maxBody ? visible.slice(0, maxBody) : (parsed(response) ?? visible);
}

function parsed({ text, redact }: { text: string; redact: Redact }): unknown {
	try {
		// Written again before it is searched, because an escape may hide a key.
		return JSON.parse(redact(JSON.stringify(JSON.parse(text))));
	} catch {
		return undefined;
	}
}

function sentence(text: string) {
	const line = text.replace(/\s+/g, ' ');
	return line.length > maxMessage ? `${line.slice(0, maxMessage)}…` : line;
}

/** The fields whose name in this library is not that of the wire in camelCase. */
const otherNames: Readonly<Record<string, string>> = {
	limit: 'pageSize',
	tag: 'tags',
	minutes: 'durationMs',
	wait_seconds: 'waitMs',
};

/** The units in which the service counts what this library takes in milliseconds. */
const units: Readonly<Record<string, string>> = { minutes: ' minutes', wait_seconds: ' seconds' };

/** The fields of requests with more than one word, as the sentences of the service name them. */
const wireWords =
	/\b(?:(?:account|board|file)_id|board_(?:ids|type)|credit_limit|credits_per_minute|dry_run|expires_at|flash_offset|has_agent|include_revoked|requires_agent|same_tag|wait_seconds)\b/g;

const unchanged = {
	named: (path: string) => path,
	reworded: (text: string) => text,
	inOurWords: (issue: Issue) => issue,
};

/** Renames fields and parameters as this library does. What is inside of a field keeps its own names. */
const inOurNames = {
	named: (path: string) => path.replace(/^\w+/, renamed),
	reworded: (text: string) => text.replace(wireWords, renamed),
	inOurWords: ({ path, message }: Issue) => ({
		path: path.replace(/^\w+/, renamed),
		message: message.replace(wireWords, renamed) + (Object.hasOwn(units, path) ? units[path] : ''),
	}),
};

function sentenceOf({ path, message }: Issue) {
	return `${path} ${message}`;
}

function renamed(name: string) {
	return (Object.hasOwn(otherNames, name) && otherNames[name]) || camelCase(name);
}

function issuesOf(value: unknown): Issue[] {
	return (Array.isArray(value) ? value : []).slice(0, maxIssues).flatMap((item) => {
		const { path, message } = fieldsOf(item);
		return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
	});
}

function textOf(value: unknown) {
	return typeof value === 'string' ? printable(value).trim() || undefined : undefined;
}
