// Reads an answer: what it says, or the error that it stands for.
import { redact } from '../contract/index.ts';
import { ApiError, type Issue, invalidResponse, ResponseError } from '../errors.ts';
import { fieldsOf } from './json.ts';
import { retryMoment } from './retry.ts';
import type { ReceivedResponse } from './send.ts';

const longestBody = 4096;
const longestMessage = 300;

/** The service's own name for the request. */
export function requestIdOf(headers: Headers) {
	const id = textOf(headers.get('x-request-id'));
	return id && redact(id);
}

function redactedHeaders(headers: Headers) {
	const copy = new Headers();
	for (const [name, value] of headers) copy.append(name, redact(value));
	return copy;
}

/**
 * The error behind an answer with an error status. Reads the service's own form, RFC 9457, a bare
 * `{"message"}`, and makes do with the status for anything else.
 */
function apiError({ status, headers, text }: ReceivedResponse) {
	const visible = redact(text);
	const body = parsed(text, withoutKeys);
	const outer = fieldsOf(body);
	const fields = typeof outer.error === 'object' && outer.error ? fieldsOf(outer.error) : outer;
	const message =
		textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
	return new ApiError(sentence(message ?? `The service answered with status ${status}`), {
		status,
		code: textOf(fields.code) ?? `http_${status}`,
		hint: textOf(fields.hint),
		param: textOf(fields.param),
		issues: issuesOf(fields.errors),
		headers: redactedHeaders(headers),
		body: visible.length > longestBody ? visible.slice(0, longestBody) : (body ?? visible),
		requestId: requestIdOf(headers) ?? textOf(fields.request_id),
		retryAt: retryMoment(headers.get('retry-after')),
	});
}

function redirectRefused({ headers }: ReceivedResponse) {
	const target = textOf(headers.get('location'));
	return new ResponseError(
		`The service redirects${target ? ` to ${sentence(redact(target))}` : ''}; the API key does not follow`,
		{ code: 'redirect_refused', hint: 'Set the base URL to the address that answers itself.' },
	);
}

function notJson(text: string) {
	return invalidResponse(
		text.trimStart().startsWith('<')
			? 'The answer is a web page, not JSON'
			: 'The answer is not valid JSON',
	);
}

/** The JSON of a successful answer, `undefined` if it has no body; throws for all others. */
export function readResponse(answer: ReceivedResponse): unknown {
	const { status, redirected, text } = answer;
	if (redirected || (status >= 300 && status < 400)) throw redirectRefused(answer);
	if (status < 200 || status >= 400) throw apiError(answer);
	if (text.trim() === '') return undefined;
	const body = parsed(text);
	if (body === undefined) throw notJson(text);
	return body;
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

/** Written anew before it is searched, because an escape may hide a key. */
function withoutKeys(json: unknown): unknown {
	return JSON.parse(redact(JSON.stringify(json)));
}

function sentence(text: string) {
	const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
	return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}

function issuesOf(value: unknown): Issue[] {
	return (Array.isArray(value) ? value : []).flatMap((item) => {
		const { path, message } = fieldsOf(item);
		return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
	});
}
