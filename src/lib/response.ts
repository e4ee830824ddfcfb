// Reads a response: its result, or the error that it describes.
import { redact } from '../contract/api-key.ts';
import type { Issue } from '../error-details.ts';
import { ApiError, ResponseError } from '../errors.ts';
import { invalidResponse } from './invalid-response.ts';
import { fieldsOf } from './json.ts';
import { camelName } from './records.ts';
import type { Redact } from './redact.ts';
import { retryMoment } from './retry.ts';
import type { ReceivedResponse } from './send.ts';

const longestBody = 4096;
const longestMessage = 300;

const notModified = 304;

/** The service's identifier for the request. */
export function requestIdOf({ headers, redact: clean = redact }: HeadersReceived) {
	const id = textOf(headers.get('x-request-id'));
	return id && clean(id);
}

interface HeadersReceived {
	headers: Headers;
	redact?: Redact;
}

/** How the body is read. */
interface Reading {
	method?: string;
	asText?: boolean;
	wireNames?: boolean;
}

/** The JSON of a successful response, `undefined` if it has no body; throws for all others. */
export function readResponse(
	response: ReceivedResponse,
	{ method, asText, wireNames }: Reading,
): unknown {
	const { status, redirected, text } = response;
	const known = status === notModified && method === 'GET';
	if (redirected || (status >= 300 && status < 400 && !known)) throw redirectRefused(response);
	if (status < 200 || status >= 400) throw apiError(response, wireNames);
	if (asText) return text;
	if (text.trim() === '') return undefined;
	const body = parsed(text);
	if (body === undefined) throw notJson(text);
	return body;
}

/** Adds what is known about the response to an error that says it cannot be used. */
export function attachResponse(
	error: unknown,
	response: Pick<ReceivedResponse, 'status' | 'headers' | 'redact'> & { text?: string },
) {
	if (!(error instanceof ResponseError) || error.status !== undefined) return;
	const { status, text } = response;
	error.status = status;
	if (text !== undefined) error.body = visibleBody({ ...response, text });
	const requestId = requestIdOf(response);
	if (requestId !== undefined) error.requestId = requestId;
}

function redactedHeaders({ headers, redact }: ReceivedResponse) {
	const copy = new Headers();
	for (const [name, value] of headers) copy.append(name, redact(value));
	return copy;
}

/** The body without keys: parsed if it is short JSON, otherwise text, truncated. */
function visibleBody({ text, redact }: { text: string; redact: Redact }) {
	const visible = redact(text);
	return visible.length > longestBody
		? visible.slice(0, longestBody)
		: (parsed(text, (json) => withoutKeys(json, redact)) ?? visible);
}

/**
 * The error behind a response with an error status. Reads the service's own form, RFC 9457, a bare
 * `{"message"}`, and falls back to the status for anything else.
 */
function apiError(response: ReceivedResponse, wireNames: boolean | undefined) {
	const { status, headers, redact } = response;
	const named = wireNames ? (path: string) => path : callerName;
	const outer = fieldsOf(parsed(response.text, (json) => withoutKeys(json, redact)));
	const fields = typeof outer.error === 'object' && outer.error ? fieldsOf(outer.error) : outer;
	const message =
		textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
	const param = textOf(fields.param);
	const requestId = requestIdOf(response) ?? textOf(fields.request_id);
	return new ApiError(sentence(message ?? `The service responded with status ${status}`), {
		status,
		code: textOf(fields.code) ?? `http_${status}`,
		hint: textOf(fields.hint),
		param: param && named(param),
		issues: issuesOf(fields.errors, named),
		headers: redactedHeaders(response),
		body: visibleBody(response),
		requestId,
		retryAt: retryMoment(headers.get('retry-after')),
	});
}

function redirectRefused({ headers, redact }: ReceivedResponse) {
	const target = textOf(headers.get('location'));
	return new ResponseError(
		`The service redirects${target ? ` to ${sentence(redact(target))}` : ''}; the API key is not sent there`,
		{
			code: 'redirect_refused',
			hint: 'Set the base URL to the address that responds without a redirect.',
		},
	);
}

function notJson(text: string) {
	return invalidResponse(
		text.trimStart().startsWith('<')
			? 'The response is a web page, not JSON'
			: 'The response is not valid JSON',
	);
}

function textOf(value: unknown) {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function parsed(text: string, revise = (json: unknown) => json): unknown {
	try {
		return revise(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** Written again before it is searched, because an escape may hide a key. */
function withoutKeys(json: unknown, redact: Redact): unknown {
	return JSON.parse(redact(JSON.stringify(json)));
}

function sentence(text: string) {
	const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
	return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}

const otherNames: Readonly<Record<string, string>> = { limit: 'pageSize', tag: 'tags' };

/** The name of a field or parameter in this library; what is inside of it keeps its own names. */
function callerName(path: string) {
	return path.replace(/^\w+/, (name) => otherNames[name] ?? camelName(name));
}

function issuesOf(value: unknown, named: (path: string) => string): Issue[] {
	return (Array.isArray(value) ? value : []).flatMap((item) => {
		const { path, message } = fieldsOf(item);
		return typeof path === 'string' && typeof message === 'string'
			? [{ path: named(path), message }]
			: [];
	});
}
