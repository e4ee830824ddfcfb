// Watches a list. The service responds when it changes, so that watching takes few requests.
import { RequestTimeoutError, ResponseError } from '../errors/errors.ts';
import type { ListRoute } from '../records/operations.ts';
import { listQuery } from '../records/records.ts';
import { callback, inRange, readCallOptions } from '../settings/option-rules.ts';
import { type RequestOptions, readHeaders } from '../settings/settings.ts';
import { notify } from './attempts.ts';
import { addressOf } from './call.ts';
import { Listing, type ListRequest, type Page, readPage } from './list.ts';
import { isTemporary, persistently, startWait } from './outages.ts';
import type { RequestFunction } from './request.ts';
import { followSignals } from './signals.ts';

const waitSeconds = 20;

/** The time for each page after the first: a long list takes at most half of the requests that a key has. */
const pageMs = 250;

/** The service compares at most this many tags with its pages. */
const maxTags = 10;

/** A page, and the tag by which the service knows it. */
type Tagged<Item> = Page<Item> & { tag: string };

/** Whether the service can be reached at the moment. */
export interface WatchConnection {
	/** False from the first failure on, until the service responds again. */
	readonly connected: boolean;
	/** The error of the request that failed. */
	readonly error?: unknown;
}

/** Settings for watching a list, or waiting for a change of it. */
export interface WatchOptions extends RequestOptions {
	/** Milliseconds without a response after which it fails; `Infinity` is allowed. Default: 60,000. */
	maxOutageMs?: number | undefined;
	/** Called when the connection is lost, and when it is back. What it throws is ignored. */
	onConnection?: ((connection: WatchConnection) => void) | undefined;
}

const ownRules = {
	maxOutageMs: inRange(0, Number.POSITIVE_INFINITY),
	onConnection: callback,
};

export type WatchedList<R extends ListRoute, Item> = ListRequest<R, Item> & {
	/** What was awaited, for the error of the time limit. */
	missing?: string;
	options: WatchOptions | undefined;
	/** Whether only the first page matters. */
	isShort?: boolean;
};

/** The records of the list, at first and then again after each change. */
export async function* watchList<R extends ListRoute, Item>(
	request: RequestFunction,
	{
		route,
		filters,
		query: wanted,
		read,
		missing = 'end of the watch',
		options: given,
		isShort = false,
	}: WatchedList<R, Item>,
): AsyncGenerator<Item[]> {
	const query = listQuery(filters, wanted);
	const checked = readCallOptions(given, ownRules);
	const { timeout, signal: caller, maxOutageMs, onConnection, ...options } = checked;
	const late = () => new RequestTimeoutError(timeout ?? 0, missing);
	const { signal, end } = followSignals([caller], { milliseconds: timeout, late });

	let isLost = false;
	const report = (connection: WatchConnection) => {
		if (isLost !== connection.connected) return;
		isLost = !isLost;
		notify(onConnection, connection);
	};
	const onFailure = (error: unknown) => report({ connected: false, error });

	/** Reads a page; returns the first of the known ones if none has changed. */
	const readOne = async (
		more: { cursor?: string | undefined; wait?: number },
		known: readonly Tagged<Item>[] = [],
		during = signal,
	): Promise<Tagged<Item>> => {
		const tags = known.map(({ tag }) => tag).join(', ');
		const headers = { ...readHeaders(options.headers ?? {}), 'if-none-match': tags || null };
		const ask = async () =>
			await request({
				...addressOf(route),
				query: { ...query, ...more },
				options: { ...options, signal: during, timeout: 2 * waitSeconds * 1000, headers },
				read: (body: unknown, _, { status, headers }) =>
					status === 304 && known[0]
						? known[0]
						: { ...readPage(read, body), tag: headers.get('etag') ?? '' },
			});
		// A response that is not of the API comes from a wrong address.
		const repeats = (error: unknown) => isTemporary(error) && !(error instanceof ResponseError);
		const page = await persistently(ask, {
			signal: during,
			repeats,
			patienceMs: maxOutageMs,
			onFailure,
		});
		report({ connected: true });
		return page;
	};

	/** Waits for a change of the pages, in a request for each ten of them; returns the first page as it is then. */
	const readChanged = async (pages: readonly Tagged<Item>[]) => {
		const [first] = pages;
		if (!first || pages.length <= maxTags) return await readOne({ wait: waitSeconds }, pages);
		const waits = followSignals([signal]);
		let changed = false;
		const readPart = async (start: number) => {
			const part = pages.slice(start, start + maxTags);
			const more = { cursor: pages[start - 1]?.nextCursor, wait: waitSeconds };
			if ((await readOne(more, part, waits.signal)) === part[0]) return;
			changed = true;
			waits.abort(undefined);
		};
		const starts = [...pages.keys()].filter((index) => index % maxTags === 0);
		await Promise.all(starts.map(readPart))
			.catch((error) => changed || Promise.reject(error))
			.finally(() => waits.abort(undefined));
		return changed ? await readOne({}) : first;
	};

	try {
		let first = await readOne({});
		const fetchPage = async (cursor?: string) =>
			cursor === undefined ? first : await readOne({ cursor });
		for (;;) {
			const pages: Tagged<Item>[] = [];
			for await (const page of new Listing(fetchPage).pages()) {
				pages.push(page as Tagged<Item>); // as fetchPage returns it
				if (isShort) break;
			}
			const pauseIfLong = startWait(signal, (pages.length - 1) * pageMs);
			yield pages.flatMap(({ items }) => items);
			await pauseIfLong();
			do {
				const pauseIfEarly = startWait(signal);
				first = await readChanged(pages);
				await pauseIfEarly();
			} while (first === pages[0]);
		}
	} finally {
		end();
	}
}

/** A record is new in the list, has changed, or is gone. */
type Change<Item> =
	| { type: 'added' | 'removed'; item: Item }
	| { type: 'changed'; item: Item; before: Item };

/** What differs from one list to the next, with the record under its name; at first, every record is new. */
export async function* watchChanges<R extends ListRoute, Item extends { id: string }, NamedChange>(
	request: RequestFunction,
	list: WatchedList<R, Item>,
	name: string,
): AsyncGenerator<NamedChange> {
	let known = new Map<string, Item>();
	for await (const items of watchList(request, list)) {
		const now = new Map(items.map((item) => [item.id, item]));
		for (const { item, ...change } of differences(known, now)) {
			yield { ...change, [name]: item } as NamedChange; // a change, whose record has this name
			// The caller may have taken its time.
			list.options?.signal?.throwIfAborted();
		}
		known = now;
	}
}

function* differences<Item>(
	known: ReadonlyMap<string, Item>,
	now: ReadonlyMap<string, Item>,
): Generator<Change<Item>> {
	for (const [id, item] of known) if (!now.has(id)) yield { type: 'removed', item };
	for (const [id, item] of now) {
		const before = known.get(id);
		if (before === undefined) yield { type: 'added', item };
		else if (before !== item && lasting(before) !== lasting(item)) {
			yield { type: 'changed', item, before };
		}
	}
}

/** The record without what changes as time passes. */
function lasting(item: unknown) {
	return JSON.stringify(item, (name, value) => (name === 'expiresInMs' ? null : value));
}
