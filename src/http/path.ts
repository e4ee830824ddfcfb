// Builds the addresses of the API so that nothing a caller passes can change where a request goes.
import { redact } from '../contract/printable.ts';
import { InputError } from '../errors/errors.ts';

/** The path of a route, with ids that are safe to put into it. */
export function pathWith(route: string, ids: Readonly<Record<string, string>> = {}) {
	return route.replace(/\{(\w+)\}/g, (_, name) => {
		const id = ids[name];
		checkId(id);
		return encodeURIComponent(id);
	});
}

export function checkId(id: unknown): asserts id is string {
	if (typeof id !== 'string' || id === '') throw invalidId('must be text that is not empty');
	if (redact(id) !== id) {
		throw invalidId(
			'contains a full API key or token, not only an id; it was not sent',
			'The list of keys has the id of each key; "board-access keys id" computes it from a key.',
		);
	}
	if (/[/\\\p{Cc}\p{Cs}\s]/u.test(id) || /^(key_)?\.+$/.test(id)) {
		throw invalidId(
			'must not contain slashes, white space or half of a character, or consist of dots',
		);
	}
}

function invalidId(message: string, hint?: string) {
	return new InputError([{ path: 'id', message }], hint);
}

/** A caller's own path, if it stays below the base URL and contains no secret. */
export function checkedPath(path: string) {
	const invalid = (message: string) => new InputError([{ path: 'path', message }]);
	if (typeof path !== 'string' || !path.startsWith('/')) throw invalid('must start with "/"');
	if (/^\/[/\\]|[\\?#\p{Cc}\p{Cs}]/u.test(path)) {
		throw invalid('must be a path only, without host, query and fragment');
	}
	if (/\/(\.|%2e){1,2}(\/|$)/i.test(path)) throw invalid('must not contain "." or ".." segments');
	if (redact(path) !== path) throw invalid('must not contain a full API key');
	return path.replace(/[{}]/g, (brace) => encodeURIComponent(brace));
}

/** The value of one query parameter; an array repeats it, `undefined` leaves it out. */
export type QueryValue =
	| string
	| number
	| boolean
	| readonly (string | number | boolean)[]
	| undefined;

/** The query string with its "?", or nothing. */
export function queryString(query: Readonly<Record<string, unknown>>) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		for (const each of Array.isArray(value) ? value : [value]) {
			if (each === undefined) continue;
			if (!/^(string|number|boolean)$/.test(typeof each)) {
				throw new InputError([{ path: name, message: 'must be text, a number or a boolean' }]);
			}
			parameters.append(name, String(each));
		}
	}
	return parameters.size === 0 ? '' : `?${parameters}`;
}
