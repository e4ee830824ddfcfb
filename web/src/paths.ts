// Paths from an address or a form, which must not lead to another site.
import type { ServiceContext } from 'board-access-http/environment';

/** The path if it stays on this site, otherwise the other one. */
export function localPath(text: string | undefined, otherwise: string) {
	const here = 'http://here.invalid';
	if (!text?.startsWith('/') || !URL.canParse(text, here)) return otherwise;
	const { origin, pathname, search } = new URL(text, here);
	// A browser reads a path that begins with two slashes as another host.
	return origin === here && !pathname.startsWith('//') ? pathname + search : otherwise;
}

/** A path with a query, without the parameters that have no value. */
export function withQuery(
	path: string,
	query: Record<string, string | readonly string[] | undefined>,
) {
	const search = new URLSearchParams();
	for (const [name, values] of Object.entries(query)) {
		for (const value of [values].flat()) if (value) search.append(name, value);
	}
	const text = search.toString();
	return text ? `${path}?${text}` : path;
}

/** A path followed by the identifier in the current path. */
export function encodedPath(c: ServiceContext, path: string) {
	return `${path}/${encodeURIComponent(c.req.param('id') ?? '')}`;
}
