// A list that is fetched page by page, and only as far as it is looked at.
import { invalidResponse, ResponseError } from './errors.ts';
import { fieldsOf } from './lib/json.ts';
import type { ReadRecord } from './lib/records.ts';
import type { RequestFunction } from './lib/request.ts';
import { rememberResponse, responseOf } from './lib/response-info.ts';
import type { RequestOptions } from './lib/settings.ts';

/** One page and where the next one begins. */
interface Page<Item> {
	items: Item[];
	nextCursor: string | undefined;
}

type FetchPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/**
 * The answer of every `list` method. `await` it for an array of everything, loop over it with
 * `for await` to stream, or go page by page. Pages are fetched only when they are needed.
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

	/** @internal */
	constructor(fetchPage: FetchPage<Item>) {
		this.#fetchPage = fetchPage;
	}

	/** The pages one after the other, each an array. */
	async *pages(): AsyncGenerator<Item[], void, undefined> {
		const seen = new Set<string>();
		for (let cursor: string | undefined; ; ) {
			const page = await this.#fetchPage(cursor);
			const response = responseOf(page);
			if (response) rememberResponse(page.items, response);
			yield page.items;
			cursor = page.nextCursor;
			if (cursor === undefined) return;
			if (seen.has(cursor)) {
				throw new ResponseError('The service answered the same page twice', {
					code: 'cursor_repeated',
					hint: 'This is a fault of the service: its list does not come to an end.',
				});
			}
			seen.add(cursor);
		}
	}

	/** The items one after the other. */
	async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
		for await (const page of this.pages()) yield* page;
	}

	/** The first `count` items, without fetching more pages than they take. */
	async first(count: number): Promise<Item[]> {
		const items: Item[] = [];
		if (count <= 0) return items;
		for await (const page of this.pages()) {
			for (const item of page.slice(0, count - items.length)) items.push(item);
			const response = responseOf(page);
			if (response) rememberResponse(items, response);
			if (items.length >= count) break;
		}
		return items;
	}

	#all(): Promise<Item[]> {
		return this.first(Number.POSITIVE_INFINITY);
	}

	/** Makes `await` give an array of everything. */
	// biome-ignore lint/suspicious/noThenProperty: being awaited is what a listing is for
	then<Result = Item[], Failure = never>(
		onFulfilled?: ((items: Item[]) => Result | PromiseLike<Result>) | null,
		onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
	): Promise<Result | Failure> {
		return this.#all().then(onFulfilled, onRejected);
	}

	/** As with any promise. */
	catch<Failure = never>(
		onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
	): Promise<Item[] | Failure> {
		return this.#all().catch(onRejected);
	}

	/** As with any promise. */
	finally(onFinally?: (() => void) | null): Promise<Item[]> {
		return this.#all().finally(onFinally);
	}
}

const envelopes = ['data', 'boards', 'keys', 'items', 'results'];

/** Reads a list as a bare array or in any of the usual envelopes. */
function readPage<Item>(read: ReadRecord<Item>, body: unknown): Page<Item> {
	const envelope = fieldsOf(body);
	const name = envelopes.find((key) => Array.isArray(envelope[key]));
	const items = Array.isArray(body) ? body : name && envelope[name];
	if (!Array.isArray(items)) throw invalidResponse('The answer is not a list');
	const where = name === undefined ? [] : [name];
	const cursor = envelope.next_cursor;
	return {
		items: items.map((item, index) => read(item, [...where, index])),
		nextCursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
	};
}

/** What a list method asks for. */
interface ListCall<Item> {
	path: string;
	query: Readonly<Record<string, unknown>>;
	read: ReadRecord<Item>;
	options: RequestOptions | undefined;
}

export function createListing<Item>(
	request: RequestFunction,
	{ path, query, read, options }: ListCall<Item>,
): Listing<Item> {
	return new Listing((cursor) =>
		request({
			method: 'GET',
			path,
			query: { ...query, cursor },
			options,
			read: (body) => readPage(read, body),
		}),
	);
}
