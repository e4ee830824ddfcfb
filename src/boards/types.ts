// The boards of the service.
import type { boardStatuses } from '../contract/board.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

/** A status that the service knows today. @useDeclaredType */
export type BoardStatus = (typeof boardStatuses)[number];

/** The flash of a board. */
export interface BoardMemory {
	/** Its first address. */
	start: number;
	/** Its size in bytes. */
	size: number;
	/** The processor that an ELF file has to be for, as ELF numbers it. */
	machine?: number | undefined;
	/** The chip family that a UF2 file has to be for. */
	family?: number | undefined;
}

/** A hardware board. Only `id` is always present; a service may leave the others out. */
export interface Board {
	/** Identifies the board: `brd_…`. */
	id: string;
	/** The display name. */
	name?: string | null;
	/** The board type, for example `esp32-s3`. */
	boardType?: string | null;
	/** Whether it is available; a service may have other statuses than these. */
	status?: BoardStatus | (string & {}) | null;
	/** Free text. */
	description?: string | null;
	/** Why the board is in maintenance or offline; otherwise empty. */
	statusReason?: string | null;
	/** The credits that a minute of a lease costs; 0 is free. */
	creditsPerMinute?: number | null;
	/** The lease that holds the board, if it belongs to this account. */
	leaseId?: string | null;
	/** Whether an agent drives the board; otherwise it can be leased, but not flashed. */
	hasAgent?: boolean | null;
	/** What firmware has to fit, while an agent that knows it is connected. */
	memory?: BoardMemory | null;
	/** Whether a lease may begin with the firmware of an earlier one, while an agent drives the board. */
	keepsFirmware?: boolean | null;
	/** Names and values, for example `{ rack: 'b2' }`. */
	tags?: Record<string, string> | null;
	/** When it was added. */
	createdAt?: string | null;
	/** When it was last changed. */
	updatedAt?: string | null;
}

/** Which boards to list. */
export interface BoardQuery extends PageQuery {
	/** Only boards of this type, or of one of these types. */
	boardType?: string | readonly string[] | undefined;
	/** Only boards with this status. */
	status?: BoardStatus | (string & {}) | undefined;
	/** Only boards with all of these tags, for example `{ rack: 'b2' }`. */
	tags?: Readonly<Record<string, string>> | undefined;
}

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
	 * Waits until a board matches, and returns the matching boards, at most one page. The service responds
	 * when the list changes, so waiting takes few requests. To wait for a board and lease it, create a
	 * lease with `waitSeconds`.
	 * @param options - Settings for the requests; `timeout` covers the whole wait, which has no limit by
	 * default.
	 *
	 * @example
	 * ```ts
	 * const [free] = await client.boards.waitFor({ boardType: 'esp32-s3', status: 'available' });
	 * ```
	 * @throws {@link TimeoutError} if no board matched within `timeout`.
	 */
	waitFor(query: BoardQuery, options?: RequestOptions): Promise<Board[]>;
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
}
