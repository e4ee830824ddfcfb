// Compresses the pages, unless another site may have caused the request, and the assets, once each.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ServiceContext } from 'board-access-http/environment';
import type { Next } from 'hono';
import { accepts } from 'hono/accepts';
import { compress } from 'hono/compress';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';

const compressHtml = compress({ contentTypeFilter: /^text\/html/ });

/**
 * For the route of a page: one for all paths would be what the log names. A page contains private text beside words of its address, so its compressed length
 * says something about the text (BREACH) to a site that makes the browser send requests and watches the network.
 * Only a request of our own pages, or of the person at the browser, gets a compressed page.
 */
export function compressPage(c: ServiceContext, next: Next) {
	const site = c.req.header('sec-fetch-site');
	const isOwn = site === 'same-origin' || site === 'none';
	return isOwn ? compressHtml(c, next) : next();
}

// The best quality takes twice the time of the one before, once for each asset, and saves a fiftieth of the bytes.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

const encoders = {
	br: (content: Buffer) => promisify(brotliCompress)(content, quality),
	gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};

/** An asset that is compressed when somebody first asks for that, and kept. */
export function compressible(content: Buffer<ArrayBuffer>, type: string) {
	const kept: Partial<Record<keyof typeof encoders, Promise<Buffer<ArrayBuffer>>>> = {};
	const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);
	return async (c: ServiceContext) => {
		const encoding = isText && encodings.find((name) => takes(c, name));
		const headers: Record<string, string> = isText ? { vary: 'accept-encoding' } : {};
		// Passed on as it is: a copy for each response would be held until the caller has read it.
		if (!encoding) return { body: content, headers };
		kept[encoding] ??= encoders[encoding](content);
		return { body: await kept[encoding], headers: { ...headers, 'content-encoding': encoding } };
	};
}

const encodings = ['br', 'gzip'] as const;

function takes(c: ServiceContext, encoding: string) {
	return accepts(c, { header: 'Accept-Encoding', supports: [encoding], default: '' }) !== '';
}
