// A list that is fetched page by page, and only as far as it is read.
import { keepCallers, settleFor } from '../errors/caller.ts';
import { InputError, invalidResponse, ResponseError } from '../errors/errors.ts';
import { fieldsOf } from '../records/json.ts';
import type { Filters, Ids, ListRoute, RecordAt } from '../records/operations.ts';
import { listQuery, type ReadRecord } from '../records/records.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { addressOf } from './call.ts';
import type { RequestFunction } from './request.ts';
import { passResponse } from './response.ts';

/** One page of a list. */
export interface Page<Item> {
	/** The records on this page. */
	readonly items: readonly Item[];
	/** Where the next page starts: pass it as `cursor`. Missing on the last page. */
	readonly nextCursor: string | undefined;
}

/** Which pages of a list to read. */
export interface PageQuery {
	/** How many records to request at a time. */
	pageSize?: number | undefined;
	/** Where to start: the `nextCursor` of a page. */
	cursor?: string | undefined;
}

type FetchPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** The most pages that are collected into one array. */
const maxPages = 1000;

/**
 * What every `list` method returns. `await` it for an array of all records, loop over it with
 * `for await` to stream them, or go through it with `pages()`. The first page is requested at once and
 * shared by all of these; every further page is requested when it is needed. `timeout` applies to
 * each page.
 *
 * @typeParam Item - The records of the list.
 *
 * @example
 * ```ts
 * const all = await client.boards.list();
 * for await (const board of client.boards.list()) console.log(board.id);
 * ```
 */
export class Listing<Item> implements Promise<Item[]>, AsyncIterable<Item> {
	/** Names the class where it is printed. */
	readonly [Symbol.toStringTag] = 'Listing';

	readonly #fetchPage: FetchPage<Item>;
	readonly #firstPage: Promise<Page<Item>>;
	#all: Promise<Item[]> | undefined;

	/**
	 * A list of these records, for tests of code that reads one.
	 *
	 * @param items - The records, or a promise of them; one that rejects is a list that fails.
	 *
	 * @example
	 * ```ts
	 * const boards = { list: () => Listing.of<Board>([board]) };
	 * ```
	 */
	static of<Item>(items: Iterable<Item> | PromiseLike<Iterable<Item>>): Listing<Item> {
		return new Listing(async () => ({ items: [...(await items)], nextCursor: undefined }));
	}

	/** @internal */
	constructor(fetchPage: FetchPage<Item>) {
		this.#fetchPage = fetchPage;
		this.#firstPage = fetchPage(undefined);
		this.#firstPage.catch(() => {}); // reading the list reports the error
	}

	/** Says how to read the list, also where it is printed. */
	toString() {
		return 'Listing { await it for an array, or loop over it with for await }';
	}

	/** The pages one after the other, each with its `items` and the cursor of the `nextCursor` page. */
	pages(): AsyncGenerator<Page<Item>, void, undefined> {
		return this.#pages();
	}

	async *#pages(): AsyncGenerator<Page<Item>, void, undefined> {
		const seen = new Set<string>();
		for (let page = await this.#firstPage; ; page = await this.#fetchPage(page.nextCursor)) {
			yield page;
			if (page.nextCursor === undefined) return;
			if (seen.has(page.nextCursor)) throw pageRepeated();
			seen.add(page.nextCursor);
		}
	}

	/** The records one after the other. */
	async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
		for await (const { items } of this.#pages()) yield* items;
	}

	/**
	 * The first records, without requesting more pages than they need.
	 *
	 * @param count - How many records; a whole number.
	 */
	async first(count: number): Promise<Item[]> {
		if (!Number.isSafeInteger(count) || count < 0) {
			throw new InputError([{ path: 'count', message: 'must be a whole number, 0 or more' }]);
		}
		return await this.#collect(count);
	}

	async #collect(count: number): Promise<Item[]> {
		const items: Item[] = [];
		let pages = 0;
		for await (const page of this.#pages()) {
			for (const item of page.items.slice(0, count - items.length)) items.push(item);
			passResponse(page, items);
			if (items.length >= count) break;
			if (++pages === maxPages && page.nextCursor !== undefined) throw tooManyPages();
		}
		return items;
	}

	/** Makes `await` return an array of all records. */
	// biome-ignore lint/suspicious/noThenProperty: a listing is made to be awaited
	then<Result = Item[], Failure = never>(
		onFulfilled?: ((items: Item[]) => Result | PromiseLike<Result>) | null,
		onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
	): Promise<Result | Failure> {
		this.#all ??= settleFor(this, this.#collect(Number.POSITIVE_INFINITY));
		return this.#all.then(onFulfilled, onRejected);
	}

	/** As with any promise. */
	catch<Failure = never>(
		onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
	): Promise<Item[] | Failure> {
		return this.then(null, onRejected);
	}

	/** As with any promise. */
	finally(onFinally?: (() => void) | null): Promise<Item[]> {
		return this.then().finally(onFinally);
	}
}

keepCallers(Listing.prototype, ['pages', 'first', Symbol.asyncIterator]);

// Node, Deno and Bun print what this returns.
Object.defineProperty(Listing.prototype, Symbol.for('nodejs.util.inspect.custom'), {
	value: Listing.prototype.toString,
});

function pageRepeated() {
	return new ResponseError('The service sent the same page twice', {
		code: 'cursor_repeated',
		hint: 'This is a bug in the service: its list does not end.',
	});
}

function tooManyPages() {
	return new ResponseError(`The list has more than ${maxPages} pages`, {
		code: 'too_many_pages',
		hint: 'Read it with for await, ask for larger pages with pageSize, or take the first(n).',
	});
}

const envelopes = ['data', 'boards', 'keys', 'items', 'results'];

/** Reads a list as a bare array or in any of the usual envelopes. */
export function readPage<Item, Body>(read: ReadRecord<Item, Body>, body: unknown): Page<Item> {
	const envelope = fieldsOf(body);
	const name = envelopes.find((key) => Array.isArray(envelope[key]));
	const items = Array.isArray(body) ? body : name && envelope[name];
	if (!Array.isArray(items)) throw invalidResponse('The response is not a list');
	const where = name === undefined ? [] : [name];
	const cursor = envelope.next_cursor;
	return {
		items: items.map((item, index) => read(item, [...where, index])),
		nextCursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
	};
}

/** What a list method asks for. */
export type ListRequest<R extends ListRoute, Item> = Ids<R> & {
	route: R;
	filters: Filters<R>;
	query?: PageQuery | undefined;
	read: ReadRecord<Item, RecordAt<R>>;
	/** Retried through an outage, as other requests about a lease are. */
	isPatient?: boolean;
	options: RequestOptions | undefined;
};

/** Creates a list. An error such as invalid input rejects the first page. */
export function createListing<R extends ListRoute, Item>(
	request: RequestFunction,
	{ route, ids, filters, query, read, ...rest }: ListRequest<R, Item>,
): Listing<Item> {
	// Once, so that all pages are of one list, even if the caller changes the query.
	let first: Record<string, unknown> | undefined;
	return new Listing(async (cursor) => {
		first ??= listQuery(filters, query);
		return await request({
			...addressOf(route, ids),
			...rest,
			query: cursor === undefined ? first : { ...first, cursor },
			read: (body) => readPage(read, body),
		});
	});
}
