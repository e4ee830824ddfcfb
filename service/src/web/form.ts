// Reads what a form sends, and keeps a refusal for the page that shows the form again.

import { ApiError } from '../errors.ts';
import type { ServiceContext } from '../http/environment.ts';
import { readBytes } from '../http/read.ts';
import { refuseNul } from '../validation.ts';

/** The fields of a form; one that is missing reads as empty. */
export async function readForm<Name extends string>(
	c: ServiceContext,
	names: readonly Name[],
): Promise<Record<Name, string>> {
	if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
		throw new ApiError('unsupported_media_type', 'This page takes a form.');
	}
	const sent = new URLSearchParams((await readBytes(c.req.raw)).toString());
	const values = names.map((name) => [name, sent.get(name)?.replaceAll('\r\n', '\n') ?? '']);
	// The entries are exactly the names asked for.
	const fields = Object.fromEntries(values) as Record<Name, string>;
	refuseNul(fields);
	return fields;
}

/** For `catch`: a refusal is a value to show beside the form, everything else goes on. */
export function refusal(error: unknown): ApiError {
	if (error instanceof ApiError && error.code !== 'internal' && error.code !== 'unavailable') {
		return error;
	}
	throw error;
}

/** What is wrong with one field, if anything is. */
export function faultOf(fault: ApiError | undefined, name: string) {
	return fault?.details.errors?.find(({ path }) => path === name)?.message;
}

/** A line of text in the address, as one could have typed it; one that is missing reads as empty. */
export function readLine(c: ServiceContext, name: string) {
	return (c.req.query(name) ?? '')
		.replace(/\p{Cc}/gu, '')
		.trim()
		.slice(0, 200);
}
