// Pages of lists with an ETag: a caller who has the page gets a 304, or waits until the list changes.
import { hash } from 'node:crypto';
import { invalid } from 'board-access-core';
import type { AuthenticatedCaller } from './authenticate.ts';
import type { ServiceContext } from './environment.ts';
import { completeResponse } from './headers.ts';

export interface TaggedPage {
	/** As bytes, which are cheaper to send than text. */
	body: Buffer<ArrayBuffer>;
	/** Names this very page, for `ETag`. */
	tag: string;
	/** Where the next page starts. */
	next: string | null;
}

interface TaggedList<Revision> {
	/** Read before the page, so that no page is older than it. */
	revision: Revision;
	/** The revision after a moment, or after these milliseconds, read once for all who wait for it. */
	nextRevision: (milliseconds: number) => Promise<Revision>;
	/** Reads the page that the address asks for, or the one at the cursor, at this revision or a later one. */
	read: (revision: Revision, cursor?: string) => Promise<TaggedPage>;
	/** For how many milliseconds the request waits for a change. */
	milliseconds: number;
	wait: AuthenticatedCaller['wait'];
	/** Whether pages say how much time is left, which a tag leaves out: then only a request that waits gets a 304. */
	isTimed?: boolean;
	stopping: AbortSignal;
}

/** Each tag is compared with a page, which is read for the request. */
const maxTags = 10;

/**
 * Responds at once, or once the list is another one than the caller has or than it was at first. A change that was
 * committed before the response is either on its page, or moves the revision that is read at the next moment.
 */
export async function respondWithPage<Revision>(
	c: ServiceContext,
	{ revision, nextRevision, read, milliseconds, wait, isTimed, stopping }: TaggedList<Revision>,
) {
	let page = await read(revision);
	const header = c.req.header('if-none-match');
	let unchanged = lists(header ?? '', page);
	const waitForChange = async () => {
		const signal = AbortSignal.any([c.req.raw.signal, stopping]);
		const end = performance.now() + milliseconds;
		const left = () => end - performance.now();
		const tags = (header ?? page.tag).split(',');
		if (tags.length > maxTags) throw tooManyTags();
		const compare = async () => {
			unchanged = await isKnown(tags, page, (cursor) => read(revision, cursor));
		};
		await compare();
		while (unchanged && left() > 0) {
			const known = revision;
			revision = await nextRevision(left());
			// The database is closed soon after the service begins to stop.
			if (signal.aborted) return;
			if (revision === known) continue;
			page = await read(revision);
			await compare();
		}
	};
	if (milliseconds > 0) await wait(waitForChange);
	const isKnownPage = unchanged && header !== undefined && !(isTimed && milliseconds === 0);
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

function tooManyTags() {
	const message = `must have at most ${maxTags} tags in a request that waits`;
	return invalid([{ path: 'If-None-Match', message }]);
}

/** Whether these tags are those of the page and of the pages that follow it. */
async function isKnown(
	[tag = '', ...others]: string[],
	page: TaggedPage,
	read: (cursor: string) => Promise<TaggedPage>,
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
