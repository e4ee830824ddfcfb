// Which boards there are.
import * as z from 'zod/mini';
import { board, type boardStatuses } from './contract/index.ts';
import { readInput, recordReader, snakeCased } from './lib/records.ts';
import type { RequestFunction } from './lib/request.ts';
import type { RequestOptions } from './lib/settings.ts';
import { createListing, type Listing } from './listing.ts';

/**
 * A status that the service knows today.
 *
 * @useDeclaredType
 */
export type BoardStatus = (typeof boardStatuses)[number];

/** A hardware board. Only `id` is sure to be there; a service may leave the others out. */
export interface Board {
	/** Identifies the board: `brd_…`. */
	id: string;
	/** What people call it. */
	name?: string | null;
	/** The kind of hardware, for example `esp32-s3`. */
	boardType?: string | null;
	/** Whether it is free; a service may know more words than these. */
	status?: BoardStatus | (string & {}) | null;
	/** Free text. */
	description?: string | null;
	/** Why the board is in maintenance or offline; empty otherwise. */
	statusReason?: string | null;
	/** What a minute of a lease costs; 0 is free. */
	creditsPerMinute?: number | null;
	/** The lease that holds the board, if it is one of this account. */
	leaseId?: string | null;
	/** Free pairs of name and value, for example `{ rack: 'b2' }`. */
	tags?: Record<string, string> | null;
	/** When it was added. */
	createdAt?: string | null;
	/** When it was last changed. */
	updatedAt?: string | null;
}

/** Which boards to list. */
export interface BoardQuery {
	/** Only boards of this type. */
	boardType?: string | undefined;
	/** Only boards with this status. */
	status?: BoardStatus | (string & {}) | undefined;
	/** How many boards to fetch at a time. */
	pageSize?: number | undefined;
}

// A service may know more words for it than the contract does today.
const readBoard = recordReader({ ...board.shape, status: z.string() });

const input = z.looseObject({
	boardType: z.optional(z.string()),
	status: z.optional(z.string()),
	pageSize: z.optional(z.number()),
});

/** The boards of the service. */
export class Boards {
	readonly #request: RequestFunction;

	/** @internal */
	constructor(request: RequestFunction) {
		this.#request = request;
	}

	/**
	 * Lists boards.
	 *
	 * @example
	 * ```ts
	 * const free = await client.boards.list({ boardType: 'esp32-s3', status: 'available' });
	 * ```
	 */
	list(query: BoardQuery = {}, options?: RequestOptions): Listing<Board> {
		const { pageSize, ...filters } = readInput(input, query);
		return createListing(this.#request, {
			path: '/v1/boards',
			query: { ...snakeCased(filters), limit: pageSize },
			read: readBoard,
			options,
		});
	}
}
