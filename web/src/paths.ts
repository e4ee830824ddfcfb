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

/** Parameters by their names; those without a value are left out. */
export type Query = Record<string, string | undefined>;

export function withQuery(path: string, query: Query) {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) if (value) search.append(name, value);
	const text = search.toString();
	return text ? `${path}?${text}` : path;
}

/** A path followed by the identifier in the current path. */
export function encodedPath(c: ServiceContext, path: string) {
	return `${path}/${encodeURIComponent(c.req.param('id') ?? '')}`;
}
