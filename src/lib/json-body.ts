// The body of a request as JSON.
import { InputError } from '../errors.ts';

/** The JSON text, or an {@link InputError} for what JSON cannot contain. */
export function jsonBody(json: unknown): string | undefined {
	try {
		return JSON.stringify(json);
	} catch {
		throw new InputError([{ path: 'json', message: 'cannot be written as JSON' }]);
	}
}
