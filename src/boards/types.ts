// The boards of the service.
import type { boardStatuses } from '../contract/board.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { WatchOptions } from '../http/watch.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

/** A status that the service knows today. @useDeclaredType */
export type BoardStatus = (typeof boardStatuses)[number];

/** The flash of a board. */
export interface BoardMemory {
	/** Its first address. */
	readonly start: number;
	/** Its size in bytes. */
	readonly size: number;
	/** The processor that an ELF file has to be for, as ELF numbers it. */
	readonly machine?: number | undefined;
	/** The chip family that a UF2 file has to be for. */
	readonly family?: number | undefined;
}

/** A hardware board. */
export interface Board {
	/** Identifies the board: `brd_…`. */
	readonly id: string;
	/** The display name. */
	readonly name: string;
	/** The board type, for example `esp32-s3`. */
	readonly boardType: string;
	/** Whether it is available; a service may have other statuses than these. */
	readonly status: BoardStatus | (string & {});
	/** Free text. */
	readonly description: string;
	/** Why the board is in maintenance or offline; otherwise empty. */
	readonly statusReason: string;
	/** The credits that a minute of a lease costs; 0 is free. */
	readonly creditsPerMinute: number;
	/** The lease that holds the board, if it belongs to this account. */
	readonly leaseId: string | null;
	/** Whether an agent drives the board; otherwise it can be leased, but not flashed. */
	readonly hasAgent: boolean;
	/** What firmware has to fit, while an agent that knows it is connected. */
	readonly memory: BoardMemory | null;
	/** Whether a lease may begin with the firmware of an earlier one, while an agent drives the board. */
	readonly keepsFirmware: boolean | null;
	/** Names and values, for example `{ rack: 'b2' }`. */
	readonly tags: Readonly<Record<string, string>>;
	/** When it was added. */
	readonly createdAt: string;
	/** When it was last changed. */
	readonly updatedAt: string;
}

/** Which boards to list. */
export interface BoardQuery extends PageQuery {
	/** Only boards of this type, or of one of these types. */
	boardType?: string | readonly string[] | undefined;
	/** Only boards with this status. */
	status?: BoardStatus | undefined;
	/** Only boards that an agent drives, or only those that none does. */
	hasAgent?: boolean | undefined;
	/** Only boards with all of these tags, for example `{ rack: 'b2' }`. */
	tags?: Readonly<Record<string, string>> | undefined;
}

/** A change in a list of boards: a board is new in it, differs from before, or is no longer there. */
export type BoardChange =
	| { readonly type: 'added' | 'removed'; readonly board: Board }
	| { readonly type: 'changed'; readonly board: Board; readonly before: Board };

/** The boards of the service. */
export interface Boards {
	/**
	 * Lists boards. `await` the list for an array, loop over it with `for await`, or read its `pages()`.
	 *
	 * @example
	 * ```ts
	 * const free = await client.boards.list({ boardType: 'esp32-s3', status: 'available' });
	 * ```
	 */
	list(query?: BoardQuery, options?: RequestOptions): Listing<Board>;

	/**
	 * Returns one board.
	 *
	 * @throws {@link ApiError} with the code `board_not_found`.
	 *
	 * @example
	 * ```ts
	 * const { status, tags } = await client.boards.get(board.id);
	 * ```
	 */
	get(id: string, options?: RequestOptions): Promise<Board>;

	/**
	 * Watches boards: yields those that there are as `added`, then each change, also through outages of up
	 * to a minute or `maxOutageMs`. Changes come one by one, because a program mostly acts on one board, and they add up to
	 * the list. The service responds when the list changes, so watching takes few requests; of what changes
	 * several times within a second, only the last state comes, and of more than 1,000 boards within a quarter
	 * of a second for each 200. `pageSize` changes nothing. Abort the `signal` to end it at once.
	 *
	 * @param options - Settings for the requests; `timeout` ends the whole watch, which has no limit by
	 * default.
	 *
	 * @example
	 * ```ts
	 * for await (const { type, board } of client.boards.watch({ boardType: 'esp32-s3' })) {
	 *   console.log(type, board.id, board.status);
	 *   if (board.status === 'available') break;
	 * }
	 * ```
	 */
	watch(query?: BoardQuery, options?: WatchOptions): AsyncIterable<BoardChange>;

	/**
	 * Waits until a board matches, and returns the matching boards, at most one page. The service responds
	 * when the list changes, so waiting takes few requests. To wait for a board and lease it, create a
	 * lease with `waitMs`.
	 * @param options - Settings for the requests; `timeout` covers the whole wait, which has no limit by
	 * default.
	 *
	 * @example
	 * ```ts
	 * const [free] = await client.boards.waitFor({ boardType: 'esp32-s3', status: 'available' });
	 * ```
	 * @throws {@link RequestTimeoutError} if no board matched within `timeout`.
	 */
	waitFor(query: BoardQuery, options?: WatchOptions): Promise<Board[]>;
}

/** The fields of a board that can be changed; those left out stay. */
export interface BoardUpdate {
	/** The display name. */
	name?: string | null | undefined;
	/** The board type, for example `esp32-s3`. */
	boardType?: string | null | undefined;
	/** The status that the board has while no lease holds it. */
	status?: BoardStatus | (string & {}) | null | undefined;
	/** Free text. */
	description?: string | null | undefined;
	/** Names and values, for example `{ rack: 'b2' }`. */
	tags?: Readonly<Record<string, string>> | null | undefined;
	/** The credits that a minute of a lease costs; 0 is free. */
	creditsPerMinute?: number | null | undefined;
}

/** A board to create. The service decides which other fields it requires. */
export interface BoardInput extends BoardUpdate {
	/** The display name. */
	name: string;
	/** The board type, for example `esp32-s3`. */
	boardType: string;
}

/** The boards of the service, for admins. */
export interface AdminBoards extends Pick<Boards, 'get'> {
	/**
	 * Creates a board.
	 *
	 * @example
	 * ```ts
	 * await client.admin.boards.create({ name: 'Bench 7', boardType: 'esp32-s3' });
	 * ```
	 */
	create(board: BoardInput, options?: CreateOptions): Promise<Board>;

	/**
	 * Changes some fields of a board and returns the complete record.
	 *
	 * @example
	 * ```ts
	 * await client.admin.boards.update(board.id, { tags: { rack: 'b2' } });
	 * ```
	 */
	update(id: string, changes: BoardUpdate, options?: RequestOptions): Promise<Board>;

	/**
	 * Deletes a board.
	 *
	 * @example
	 * ```ts
	 * await client.admin.boards.delete(spare.id);
	 * ```
	 */
	delete(id: string, options?: RequestOptions): Promise<void>;

	/**
	 * Begins or ends the maintenance of a board, in which no lease is granted on it. A current lease
	 * continues.
	 *
	 * @example
	 * ```ts
	 * await client.admin.boards.setMaintenance(board.id, { on: true, reason: 'A new cable' });
	 * ```
	 */
	setMaintenance(id: string, maintenance: Maintenance, options?: RequestOptions): Promise<Board>;

	/**
	 * Adds and changes boards in one request, all or none; other boards stay. A board without an `id` is
	 * recognized by its name and type. Importing the same boards again changes nothing.
	 *
	 * @param boards - Boards as `list` returns them or to create, or the text of a JSON or CSV file from
	 * `board-access-service boards export`; at most 2,000 boards and 2 MiB. A status that follows from a
	 * lease or an agent is not imported.
	 *
	 * @example
	 * ```ts
	 * const boards = await client.boards.list({ tags: { rack: 'b2' } });
	 * const moved = boards.map((each) => ({ ...each, tags: { ...each.tags, rack: 'b3' } }));
	 * const { changed } = await client.admin.boards.import(moved);
	 * ```
	 */
	import(
		boards: readonly (Board | BoardInput)[] | string,
		options?: RequestOptions,
	): Promise<ImportedBoards>;
}

/** Whether a board is in maintenance. */
export interface Maintenance {
	/** Begins it with `true`, ends it with `false`. */
	on: boolean;
	/** Why it is in maintenance, for those who look for it. */
	reason?: string | undefined;
}

/** What an import of boards has changed. */
export interface ImportedBoards {
	/** How many boards are new. */
	readonly added: number;
	/** How many boards were changed. */
	readonly changed: number;
	/** How many boards already were as given. */
	readonly unchanged: number;
}
