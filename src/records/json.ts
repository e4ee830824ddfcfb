// JSON: the fields of what comes in, and the text of what goes out.
import { InputError, invalidResponse } from '../errors/errors.ts';

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // it has fields
}

const maxDepth = 200;

/** Throws if the value is nested so deep that code which walks through it would overflow the stack. */
export function checkDepth(value: unknown, left = maxDepth) {
	if (typeof value !== 'object' || value === null) return;
	if (left === 0) throw invalidResponse(`The response is nested deeper than ${maxDepth} levels`);
	for (const each of Object.values(value)) checkDepth(each, left - 1);
}

/** The JSON text, or an {@link InputError} for what JSON cannot contain. */
export function jsonBody(json: unknown): string | undefined {
	try {
		const text = JSON.stringify(json);
		if (text !== undefined || json === undefined) return text;
	} catch {
		// see below
	}
	throw new InputError([{ path: 'json', message: 'cannot be written as JSON' }]);
}
