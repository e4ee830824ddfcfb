// Builds the paths of the API so that nothing a caller passes can change where a request goes.
import { apiKeyPattern, redact } from '../contract/index.ts';
import { InputError } from '../errors.ts';

/** The value of one query parameter; `undefined` leaves it out. */
export type QueryValue = string | number | boolean | undefined;

/** The path of one API key, from an id that is safe to put into it. */
export function keyPath(id: string) {
	const refuse = (message: string, hint?: string) =>
		new InputError([{ path: 'id', message }], hint);
	if (typeof id !== 'string' || id === '') throw refuse('must be the id of an API key');
	if (apiKeyPattern.test(id.trim())) {
		throw refuse(
			'is a whole API key, not the id of one; it was not sent',
			'The id stands in the list of keys; "board-access keys id" computes it from a key.',
		);
	}
	if (!id.startsWith('key_') || id === 'key_') throw refuse('must be "key_" and what follows it');
	if (/[/\\\p{Cc}\s]/u.test(id) || /^key_\.+$/.test(id)) {
		throw refuse('must not contain slashes, dots alone or white space');
	}
	return `/v1/auth/keys/${encodeURIComponent(id)}`;
}

/** A caller's own path, if it stays below the address of the service and holds no secret. */
export function checkedPath(path: string) {
	const refuse = (message: string) => new InputError([{ path: 'path', message }]);
	if (typeof path !== 'string' || !path.startsWith('/')) throw refuse('must begin with "/"');
	if (/^\/[/\\]|[\\?#\p{Cc}]/u.test(path)) {
		throw refuse('must be a path only, without host, query and fragment');
	}
	if (/\/(\.|%2e){1,2}(\/|$)/i.test(path)) throw refuse('must not contain "." or ".." segments');
	if (redact(path) !== path) throw refuse('must not contain a whole API key');
	return path;
}

/** The query string with its "?", or nothing. */
export function queryString(query: Readonly<Record<string, unknown>>) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined) parameters.set(name, String(value));
	}
	return parameters.size === 0 ? '' : `?${parameters}`;
}
