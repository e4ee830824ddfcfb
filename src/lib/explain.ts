// Reads error responses: code, message, problems and body.
import type { Issue } from '../error-details.ts';
import { ApiError, ResponseError } from '../errors.ts';
import { fieldsOf } from './json.ts';
import { camelName } from './records.ts';
import type { Redact } from './redact.ts';
import { attachResponse, textOf } from './response.ts';
import type { ReceivedResponse } from './send.ts';

const longestBody = 4096;
const longestMessage = 300;

/** The error with everything that the response says; `wireNames` keeps the service's field names. */
export function explain(error: unknown, response: ReceivedResponse, wireNames?: boolean) {
	if (error instanceof ApiError) return apiError(error, response, wireNames);
	if (!(error instanceof ResponseError)) return error;
	const explained = error.code === 'redirect_refused' ? redirectRefused(response) : error;
	attachResponse(explained, response);
	explained.body = visibleBody(response);
	return explained;
}

/** Reads the service's own form, RFC 9457, and a bare `{"message"}`; keeps the error for anything else. */
function apiError(error: ApiError, response: ReceivedResponse, wireNames: boolean | undefined) {
	const { status, requestId, retryAt } = error;
	const named = wireNames ? (path: string) => path : callerName;
	const outer = fieldsOf(parsed(response));
	const fields = typeof outer.error === 'object' && outer.error ? fieldsOf(outer.error) : outer;
	const message =
		textOf(fields.message) ?? textOf(fields.detail) ?? textOf(fields.title) ?? textOf(outer.error);
	const param = textOf(fields.param);
	return new ApiError(message === undefined ? error.message : sentence(message), {
		status,
		code: textOf(fields.code) ?? error.code,
		hint: textOf(fields.hint),
		param: param && named(param),
		issues: issuesOf(fields.errors, named),
		headers: redactedHeaders(response),
		body: visibleBody(response),
		requestId: requestId ?? textOf(fields.request_id),
		retryAt,
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

function redactedHeaders({ headers, redact }: ReceivedResponse) {
	const copy = new Headers();
	for (const [name, value] of headers) copy.append(name, redact(value));
	return copy;
}

/** The body without keys: parsed if it is short JSON, otherwise text, truncated. */
function visibleBody(response: ReceivedResponse) {
	const visible = response.redact(response.text);
	return visible.length > longestBody
		? visible.slice(0, longestBody)
		: (parsed(response) ?? visible);
}

function parsed({ text, redact }: ReceivedResponse): unknown {
	try {
		return withoutKeys(JSON.parse(text), redact);
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
