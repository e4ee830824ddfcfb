// The boards as admins manage them.
import * as z from 'zod/mini';
import { type Board, type BoardStatus, readBoard } from './boards.ts';
import { recordPath } from './lib/path.ts';
import { readInput, snakeCased } from './lib/records.ts';
import type { RequestFunction } from './lib/request.ts';
import type { CreateOptions, RequestOptions } from './lib/settings.ts';

/** The fields of a board that can be changed; those left out stay. */
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

/** A board to create. The service decides which other fields it requires. */
export interface BoardInput extends BoardUpdate {
	/** The display name. */
	name: string;
	/** The kind of hardware, for example `esp32-s3`. */
	boardType: string;
}

/** The boards of the service, for admins. */
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
	 * Changes some fields of a board and returns the whole of it.
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

const text = z.optional(z.nullable(z.string()));

const update = z.looseObject({
	name: text,
	boardType: text,
	status: text,
	description: text,
	tags: z.optional(z.nullable(z.record(z.string(), z.string()))),
	creditsPerMinute: z.optional(z.nullable(z.number())),
});
const input = z.extend(update, { name: z.string(), boardType: z.string() });

const path = '/v1/admin/boards';
const pathOf = (id: string) => recordPath(path, id, 'board');
const read = (body: unknown) => readBoard(body);

export function createAdminBoards(request: RequestFunction): AdminBoards {
	return {
		create: async (board, options) =>
			await request({
				method: 'POST',
				path,
				json: snakeCased(readInput(input, board)),
				options,
				read,
			}),
		get: async (id, options) => await request({ method: 'GET', path: pathOf(id), options, read }),
		update: async (id, changes, options) =>
			await request({
				method: 'PATCH',
				path: pathOf(id),
				json: snakeCased(readInput(update, changes)),
				options,
				read,
			}),
		delete: async (id, options) =>
			await request({ method: 'DELETE', path: pathOf(id), options, read: () => undefined }),
	};
}
