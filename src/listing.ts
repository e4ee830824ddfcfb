// A list that is fetched page by page, and only as far as it is looked at.
import type * as z from 'zod/mini';
import { ResponseError } from './errors.ts';
import type { Request } from './http.ts';
import type { QueryValue } from './path.ts';
import { type CamelCased, readRecords } from './records.ts';
import { rememberResponse, responseOf } from './response-of.ts';
import type { RequestOptions } from './settings.ts';

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
			items.push(...page.slice(0, count - items.length));
			if (items.length >= count) break;
		}
		return items;
	}

	async #all(): Promise<Item[]> {
		let all: Item[] | undefined;
		for await (const page of this.pages()) {
			const response = responseOf(page);
			all = all ? all.concat(page) : page;
			if (response) rememberResponse(all, response);
		}
		return all ?? [];
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

const notAList = () =>
	new ResponseError('The answer is not a list', {
		code: 'invalid_response',
		hint: 'Check that baseUrl is the address of the API.',
	});

/** Reads a list as a bare array or in any of the usual envelopes. */
const readPage = <Wire extends object>(schema: z.ZodMiniType<Wire[]>, body: unknown) => {
	// Any object may be looked at by name; what is found there is checked.
	const envelope = (typeof body === 'object' && body !== null ? body : {}) as Record<
		string,
		unknown
	>;
	const name = envelopes.find((key) => Array.isArray(envelope[key])) ?? '';
	const items = Array.isArray(body) ? body : envelope[name];
	if (!Array.isArray(items)) throw notAList();
	const cursor = envelope.next_cursor;
	return {
		items: readRecords(schema, items, name),
		nextCursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
	};
};

/** What a list method asks for. */
interface ListCall<Wire> {
	path: string;
	query: Readonly<Record<string, QueryValue>>;
	schema: z.ZodMiniType<Wire[]>;
	options: RequestOptions | undefined;
}

export const createListing = <Wire extends object>(
	request: Request,
	{ path, query, schema, options }: ListCall<Wire>,
): Listing<CamelCased<Wire>> =>
	new Listing((cursor) =>
		request({
			method: 'GET',
			path,
			query: { ...query, cursor },
			options,
			read: (body) => readPage(schema, body),
		}),
	);
