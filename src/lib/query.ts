// The query of a request.

/**
 * The value of one query parameter; an array repeats it, `undefined` leaves it out.
 *
 * @group Client
 */
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
			if (each !== undefined) parameters.append(name, String(each));
		}
	}
	return parameters.size === 0 ? '' : `?${parameters}`;
}
