// The boards as admins manage them.
import type { Board, BoardStatus } from './boards.ts';
import type { CreateOptions, RequestOptions } from './lib/settings.ts';

/**
 * The fields of a board that can be changed; those left out stay.
 *
 * @group Boards
 */
export interface BoardUpdate {
	/** The display name. */
	name?: string | null | undefined;
	/** The kind of hardware, for example `esp32-s3`. */
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

/**
 * A board to create. The service decides which other fields it requires.
 *
 * @group Boards
 */
export interface BoardInput extends BoardUpdate {
	/** The display name. */
	name: string;
	/** The kind of hardware, for example `esp32-s3`. */
	boardType: string;
}

/**
 * The boards of the service, for admins.
 *
 * @group Boards
 */
export interface AdminBoards {
	/**
	 * Creates a board.
	 *
	 * @param board - The board.
	 * @param options - Settings for this request.
	 */
	create(board: BoardInput, options?: CreateOptions): Promise<Board>;

	/**
	 * Returns one board.
	 *
	 * @param id - The id of the board.
	 * @param options - Settings for this request.
	 */
	get(id: string, options?: RequestOptions): Promise<Board>;

	/**
	 * Changes some fields of a board and returns the complete record.
	 *
	 * @param id - The id of the board.
	 * @param changes - The fields to change.
	 * @param options - Settings for this request.
	 */
	update(id: string, changes: BoardUpdate, options?: RequestOptions): Promise<Board>;

	/**
	 * Deletes a board.
	 *
	 * @param id - The id of the board.
	 * @param options - Settings for this request.
	 */
	delete(id: string, options?: RequestOptions): Promise<void>;
}
