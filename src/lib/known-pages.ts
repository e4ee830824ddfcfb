// Remembers the last responses that have an ETag. A program that polls a list sends the tag without
// being told to, and the service sends the list again only if it has changed.
import type { PreparedRequest, ReceivedResponse } from './send.ts';

type Send = (request: PreparedRequest, signal: AbortSignal) => Promise<ReceivedResponse>;

interface KnownPage {
	tag: string;
	text: string;
}

const mostPages = 10;
const longestPage = 2 ** 16;

/** Sends as `send` does. A 304 gets the text that it confirms. */
export function withKnownPages(send: Send): Send {
	const pages = new Map<string, KnownPage>();
	return async (request, signal) => {
		const { method, url, headers } = request;
		if (method !== 'GET' || headers['if-none-match']) return await send(request, signal);
		const name = `${headers.authorization} ${url}`;
		const page = pages.get(name);
		const response = await send(page ? conditional(request, page) : request, signal);
		if (page && response.status === 304) return { ...response, text: page.text };
		pages.delete(name);
		const tag = response.headers.get('etag');
		if (tag && response.status === 200 && response.text.length <= longestPage) {
			pages.set(name, { tag, text: response.text });
			for (const oldest of pages.keys()) if (pages.size > mostPages) pages.delete(oldest);
		}
		return response;
	};
}

function conditional(request: PreparedRequest, { tag }: KnownPage): PreparedRequest {
	return { ...request, headers: { ...request.headers, 'if-none-match': tag } };
}
