// The requests of admins about boards.
import * as z from 'zod/mini';
import { InputError } from '../errors/errors.ts';
import { call, ignored } from '../http/call.ts';
import type { RequestFunction } from '../http/request.ts';
import type { InputFields } from '../records/operations.ts';
import { readInput, recordReader, snakeCased } from '../records/records.ts';
import { readBoard, tags } from './records.ts';
import type { AdminBoards } from './types.ts';

const text = z.nullable(z.string());

const fields = {
	name: text,
	boardType: text,
	status: text,
	description: text,
	tags: z.nullable(tags),
	creditsPerMinute: z.nullable(z.number()),
} satisfies InputFields<'PATCH /v1/admin/boards/{id}'>;

const needed = { name: z.string(), boardType: z.string() };
const readCounts = recordReader({ added: z.number(), changed: z.number(), unchanged: z.number() });
const maintenance = {
	on: z.boolean(),
	reason: z.string(),
} satisfies InputFields<'POST /v1/admin/boards/{id}/maintenance'>;

export function createAdminBoards(request: RequestFunction): AdminBoards {
	const read = readBoard;
	return {
		create: async (board, options) => {
			const json = snakeCased(readInput(fields, board, needed));
			return await call(request, 'POST /v1/admin/boards', { json, read, options });
		},
		get: async (id, options) =>
			await call(request, 'GET /v1/admin/boards/{id}', { ids: { id }, read, options }),
		update: async (id, changes, options) => {
			const json = snakeCased(readInput(fields, changes));
			const ids = { id };
			return await call(request, 'PATCH /v1/admin/boards/{id}', { ids, json, read, options });
		},
		delete: async (id, options) =>
			await call(request, 'DELETE /v1/admin/boards/{id}', { ids: { id }, read: ignored, options }),
		setMaintenance: async (id, change, options) =>
			await call(request, 'POST /v1/admin/boards/{id}/maintenance', {
				ids: { id },
				json: readInput(maintenance, change, { on: z.boolean() }),
				read,
				options,
			}),
		import: async (given, options) => {
			if (typeof given !== 'string' && !Array.isArray(given)) {
				throw new InputError([{ path: 'boards', message: 'must be an array, or CSV as text' }]);
			}
			// The service validates the fields, which may have the names of an export.
			const wire = (board: object) => snakeCased(readInput({}, board));
			const json = { boards: typeof given === 'string' ? given : given.map(wire) };
			return await call(request, 'PUT /v1/admin/boards', { json, read: readCounts, options });
		},
	};
}
