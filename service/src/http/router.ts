// Finds the routes of a request. Hono's fastest router cannot tell `/keys/new` from `/keys/:id/revoke`, so
// only the API uses it, whose paths have no such pairs.
import type { Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { TrieRouter } from 'hono/router/trie-router';

const isApi = (path: string) => path.startsWith('/v1/');

export function createRouter<Handler>(): Router<Handler> {
	const api = new RegExpRouter<Handler>();
	const others = new TrieRouter<Handler>();
	return {
		name: 'API and others',
		add(method, path, handler) {
			if (isApi(path) || path.includes('*')) api.add(method, path, handler);
			if (!isApi(path) || path.includes('*')) others.add(method, path, handler);
		},
		match: (method, path) => (isApi(path) ? api : others).match(method, path),
	};
}
