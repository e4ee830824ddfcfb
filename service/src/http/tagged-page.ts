// Pages of lists with an ETag: a caller who has the page gets a 304, or waits until the list changes.
import { hash } from 'node:crypto';
import type { Caller } from './authenticate.ts';
import type { ServiceContext } from './environment.ts';
import { completeResponse } from './headers.ts';

export interface TaggedPage {
	/** As bytes, which are cheaper to send than text. */
	body: Buffer<ArrayBuffer>;
	/** Names this very page, for `ETag`. */
	tag: string;
	/** Where the next page starts. */
	next: string | null;
	/** For how many milliseconds its request waits for a change. */
	wait: number;
	/** Whether it says how much time is left, which a tag leaves out: then only a request that waits gets a 304. */
	isTimed?: boolean;
}

interface TaggedList {
	/** Reads a page as it is now: the one that the address asks for, or the one at the cursor. */
	read: (cursor?: string) => Promise<TaggedPage>;
	wait: Caller['wait'];
	/** Resolves when the list may have changed, when the time is up, or on abort. */
	change: (options: { milliseconds: number; signal: AbortSignal }) => Promise<unknown>;
	stopping: AbortSignal;
}

/** Responds at once, or once the list is another one than the caller has or than it was at first. */
export async function respondWithPage(
	c: ServiceContext,
	{ read, wait, change, stopping }: TaggedList,
) {
	let page = await read();
	const header = c.req.header('if-none-match');
	let unchanged = lists(header ?? '', page);
	const waitForChange = async () => {
		const signal = AbortSignal.any([c.req.raw.signal, stopping]);
		const end = performance.now() + page.wait;
		const tags = (header ?? page.tag).split(',');
		let known: TaggedPage | undefined;
		for (;;) {
			// From memory if nothing has changed, and then the pages that follow are the same, too.
			if (page !== known) unchanged = await isKnown(tags, page, read);
			known = page;
			const left = end - performance.now();
			if (!unchanged || left <= 0) return;
			await change({ milliseconds: left, signal });
			// The database is closed soon after the service begins to stop.
			if (signal.aborted) return;
			page = await read();
		}
	};
	if (page.wait > 0) await wait(waitForChange);
	const isKnownPage = unchanged && header !== undefined && !(page.isTimed && page.wait === 0);
	return completeResponse({
		body: isKnownPage ? null : page.body,
		status: isKnownPage ? 304 : 200,
		headers: {
			...(!isKnownPage && { 'content-type': 'application/json' }),
			'cache-control': 'private, no-cache',
			etag: page.tag,
		},
		requestId: c.get('requestId'),
	});
}

/** Whether these tags are those of the page and of the pages that follow it. */
async function isKnown(
	[tag = '', ...others]: string[],
	page: TaggedPage,
	read: TaggedList['read'],
): Promise<boolean> {
	if (!lists(tag, page)) return false;
	if (others.length === 0) return true;
	return page.next !== null && isKnown(others, await read(page.next), read);
}

/** Whether an `If-None-Match` has the tag of the page; a proxy may have marked it as weak. */
function lists(header: string, { tag }: TaggedPage) {
	return header.includes(tag) || header.trim() === '*';
}

export function tagOf(text: string | Buffer) {
	return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}
