// Remembers recent responses that have an ETag, so that polling a list transfers it only after a change.
import type { Send } from './fetch.ts';

const maxPages = 10;
const maxPage = 2 ** 16;

/** Sends as `send` does. A 304 becomes the response that it confirms. */
export function withKnownPages(send: Send): Send {
	const pages = new Map<string, { tag: string; text: string }>();
	return async (request, signal) => {
		const { url, headers, init } = request;
		if (init.method !== 'GET' || headers['if-none-match']) return await send(request, signal);
		const name = `${headers.authorization} ${url}`;
		const page = pages.get(name);
		const conditional = page && { ...headers, 'if-none-match': page.tag };
		const response = await send({ ...request, headers: conditional ?? headers }, signal);
		// Deleted first, so that the page that was requested longest ago is the first one.
		pages.delete(name);
		if (page && response.status === 304) {
			pages.set(name, page);
			return { ...response, status: 200, text: page.text };
		}
		const tag = response.headers.get('etag');
		if (tag && response.status === 200 && response.text.length <= maxPage) {
			pages.set(name, { tag, text: response.text });
			for (const oldest of pages.keys()) if (pages.size > maxPages) pages.delete(oldest);
		}
		return response;
	};
}
