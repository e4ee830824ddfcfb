// Reads what a form sends, and words its errors for the page that shows the form again.
import { ApiError } from '../errors.ts';
import type { ServiceContext } from '../http/environment.ts';
import { readConfirmed } from '../http/read.ts';
import { refuseNul } from '../validation.ts';

/** The fields of a form; a missing one is empty, and a repeated one has a line for each value. */
export async function readForm<Name extends string>(
	c: ServiceContext,
	names: readonly Name[],
): Promise<Record<Name, string>> {
	if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
		throw new ApiError('unsupported_media_type', 'This page accepts form data only.');
	}
	const sent = await sentFields(c);
	const values = names.map((name) => [name, sent.getAll(name).join('\n').replaceAll('\r\n', '\n')]);
	// The entries are exactly the names asked for.
	const fields = Object.fromEntries(values) as Record<Name, string>;
	refuseNul(fields);
	return fields;
}

/** Every field that a form sent, read once. */
export async function sentFields(c: ServiceContext): Promise<URLSearchParams> {
	const sent = c.get('form') ?? new URLSearchParams((await readConfirmed(c)).toString());
	c.set('form', sent);
	return sent;
}

/** For `catch`: returns an error that belongs in the form, and throws every other one. */
export function refusal(error: unknown): ApiError {
	if (error instanceof ApiError && !beyondForms.has(error.code)) return error;
	throw error;
}

/** Errors that a page of their own explains. */
const beyondForms = new Set([
	'internal',
	'unavailable',
	'password_required',
	'credentials_missing',
]);

export type Sentences = Record<string, string | ((message: string) => string)>;

/**
 * The same error with whole sentences; a field that is not listed keeps the message of the API. `done` says
 * what the form has done if it was sent before with other values.
 */
export function inPlainWords(
	error: ApiError,
	sentences: Sentences,
	done = 'been sent with other values',
) {
	if (/^idempotency_(mismatch|conflict)$/.test(error.code)) {
		return new ApiError(error.code, `This form has already ${done}.`, {
			hint: 'To send it as it is now, submit it again.',
		});
	}
	const errors = error.details.errors?.map(({ path, message }) => {
		const sentence = sentences[path] ?? `${path} ${message}`;
		return { path, message: typeof sentence === 'string' ? sentence : sentence(message) };
	});
	return new ApiError(error.code, error.message, { ...error.details, ...(errors && { errors }) });
}

/** The message about one field. */
export function messageFor(error: ApiError | undefined, name: string) {
	return error?.details.errors?.find(({ path }) => path === name)?.message;
}

/** A line of text from the address, without control characters; a missing one is empty. */
export function readLine(c: ServiceContext, name: string) {
	return (c.req.query(name) ?? '')
		.replace(/\p{Cc}/gu, '')
		.trim()
		.slice(0, 200);
}
