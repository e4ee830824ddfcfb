// Reads forms, and words their errors for the page that shows the form again.
import { ApiError, validate } from 'board-access-core';
import type { ServiceContext } from 'board-access-http/environment';
import { readConfirmed } from 'board-access-http/read';
import * as z from 'zod/mini';

/** The largest form lists 2,000 boards of an agent. */
const maxFields = 4_000;

const formFields = z.record(z.string(), z.string());

/** The fields of a form; a missing one is empty, and a repeated one has a line for each value. */
export async function readForm<Name extends string>(
	c: ServiceContext,
	names: readonly Name[] = [],
): Promise<Record<Name, string>> {
	const sent = names.length > 0 ? await sentFields(c) : new URLSearchParams();
	const values = names.map((name) => [name, sent.getAll(name).join('\n').replaceAll('\r\n', '\n')]);
	// The entries are exactly the names asked for.
	return validate(formFields, Object.fromEntries(values)) as Record<Name, string>;
}

/** All fields of a form, from its body, which is read once, or from its address. */
export async function sentFields(c: ServiceContext): Promise<URLSearchParams> {
	if (c.req.method === 'GET') return new URL(c.req.url).searchParams;
	if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
		throw new ApiError('unsupported_media_type', 'This page accepts form data only.');
	}
	// A form of an administrator can have the IDs of all boards of an agent.
	const most = c.req.path.startsWith('/admin/') ? 256 * 1024 : undefined;
	const sent = c.get('form') ?? new URLSearchParams((await readConfirmed(c, most)).toString());
	// The page that asks for the password repeats every field, which is slow for very many.
	if (sent.size > maxFields) {
		throw new ApiError('invalid_request', `The form has more than ${maxFields} fields.`);
	}
	c.set('form', sent);
	return sent;
}

/** The values of a form: those that are stored or, if it was rejected, those that were sent. */
export function filledValues(c: ServiceContext): Partial<Record<string, string>> {
	return c.get('filled')?.values ?? {};
}

/** Errors that have a page of their own. */
const beyondForms = new Set([
	'not_found',
	'internal',
	'unavailable',
	'confirmation_required',
	'credentials_missing',
]);

export type Sentences = Record<string, string | ((message: string) => string)>;

/** Words an error for its form. Throws an error that does not belong in a form. */
export function formError(
	error: unknown,
	{ sentences, done = 'been sent with other values' }: { sentences?: Sentences; done?: string },
) {
	if (!(error instanceof ApiError) || beyondForms.has(error.code)) throw error;
	const { code, message, details } = error;
	if (/^idempotency_(mismatch|conflict)$/.test(code)) {
		const hint = 'To send it as it is now, submit it again.';
		return new ApiError(code, `This form has already ${done}.`, { hint });
	}
	if (!sentences || !details.errors) return error;
	const errors = details.errors.map((problem) => {
		// A field that is not listed keeps the message of the API.
		const sentence = sentences[problem.path] ?? `${problem.path} ${problem.message}`;
		const text = typeof sentence === 'string' ? sentence : sentence(problem.message);
		return { path: problem.path, message: text };
	});
	return new ApiError(code, message, { ...details, errors });
}

/** A line of text from the address, without control characters; a missing one is empty. */
export function readLine(c: ServiceContext, name: string) {
	return (c.req.query(name) ?? '')
		.replace(/\p{Cc}/gu, '')
		.trim()
		.slice(0, 200);
}
