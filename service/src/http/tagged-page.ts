// Pages of lists with an ETag: a caller who has the page gets a 304, or waits until the list changes.
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { invalid } from 'board-access-core';
import type { AuthenticatedCaller } from './authenticate.ts';
import { sharedMoment } from './confirm.ts';
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

interface TaggedListOptions<Revision> {
	/** Reads the revision of what the owner sees. */
	readRevision: (owner: string) => Promise<Revision>;
	/** How often it is read while requests wait, in milliseconds. */
	every: number;
	/** Whether pages say how much time is left, which a tag leaves out: then only a request that waits gets a 304. */
	isTimed?: boolean;
	stopping: AbortSignal;
}

interface ListRequest<Revision> {
	/** Whose list it is, if accounts have lists of their own. */
	owner?: string;
	/** If it is known, it was read before the page, so that no page is older than it. */
	revision?: Revision | undefined;
	/** Reads the page that the address asks for, or the one at the cursor, at this revision or a later one. */
	read: (revision: Revision, cursor?: string) => Promise<TaggedPage>;
	/** For how long the request waits for a change. */
	milliseconds: number;
	wait: AuthenticatedCaller['wait'];
}

/** Each tag is compared with a page, which is read for the request. */
const maxTags = 10;

/** Makes the function that responds with pages of a list. */
export function createTaggedList<Revision>(options: TaggedListOptions<Revision>) {
	const { readRevision, every, isTimed, stopping } = options;
	const looks = new Map<string, Promise<Revision>>();

	/** The revision after a moment, read once for all who wait for this list. */
	const nextRevision = (owner: string) => {
		const read = () => {
			// Whoever comes now has a page that may be newer than what this finds.
			looks.delete(owner);
			return readRevision(owner);
		};
		const look = looks.get(owner) ?? sharedMoment(every).then(read);
		looks.set(owner, look);
		return look;
	};

	/**
	 * Responds at once, or once the list is another one than the caller has or than it was at first. A change that was
	 * committed before the response is either on its page, or moves the revision that is read at the next moment.
	 */
	return async (
		c: ServiceContext,
		{ owner = '', read, milliseconds, wait, ...known }: ListRequest<Revision>,
	) => {
		let revision = known.revision ?? (await readRevision(owner));
		let page = await read(revision);
		const header = c.req.header('if-none-match');
		let unchanged = lists(header ?? '', page);
		const waitForChange = async () => {
			const signal = AbortSignal.any([c.req.raw.signal, stopping]);
			const end = performance.now() + milliseconds;
			const tags = (header ?? page.tag).split(',');
			if (tags.length > maxTags) throw tooManyTags();
			const compare = async () => {
				unchanged = await isKnown(tags, page, (cursor) => read(revision, cursor));
			};
			await compare();
			for (let left = milliseconds; unchanged && left > 0; left = end - performance.now()) {
				const before = revision;
				revision = await (left < every
					? delay(left).then(() => readRevision(owner))
					: nextRevision(owner));
				// The database is closed soon after the service begins to stop.
				if (signal.aborted) return;
				if (revision === before) continue;
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
	};
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
