// The requests of admins about boards.
import * as z from 'zod/mini';
import type { AdminBoards } from '../../admin-boards.ts';
import { readBoard } from '../../boards.ts';
import { recordPath } from '../path.ts';
import { readInput, snakeCased } from '../records.ts';
import type { RequestFunction } from '../request.ts';

const text = z.optional(z.nullable(z.string()));

const fields = {
	name: text,
	boardType: text,
	status: text,
	description: text,
	tags: z.optional(z.nullable(z.record(z.string(), z.string()))),
	creditsPerMinute: z.optional(z.nullable(z.number())),
};
const update = z.looseObject(fields);
const input = z.looseObject({ ...fields, name: z.string(), boardType: z.string() });

const path = '/v1/admin/boards';
const pathOf = (id: string) => recordPath(path, id, 'board');
const read = (body: unknown) => readBoard(body);

export function adminBoards(request: RequestFunction): AdminBoards {
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
