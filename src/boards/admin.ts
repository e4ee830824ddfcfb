// The requests of admins about boards.
import * as z from 'zod/mini';
import { InputError } from '../errors/errors.ts';
import { collectionRequests } from '../http/collection.ts';
import { recordPath } from '../http/path.ts';
import type { RequestFunction } from '../http/request.ts';
import { jsonBody } from '../records/json.ts';
import type { Address, InputFields } from '../records/operations.ts';
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
} satisfies InputFields<'updateBoard'>;

const readCounts = recordReader({ added: z.number(), changed: z.number(), unchanged: z.number() });
const maintenance = {
	on: z.boolean(),
	reason: z.string(),
} satisfies InputFields<'setMaintenance'>;

export function createAdminBoards(request: RequestFunction): AdminBoards {
	const path = '/v1/admin/boards' satisfies Address;
	return {
		...collectionRequests(request, {
			path,
			noun: 'board',
			fields,
			needed: { name: z.string(), boardType: z.string() },
			read: readBoard,
		}),
		setMaintenance: async (id, change, options) =>
			await request({
				method: 'POST',
				path: `${recordPath(path, id, 'board')}/maintenance`,
				body: jsonBody(readInput(maintenance, change, { on: z.boolean() })),
				options,
				read: (body) => readBoard(body),
			}),
		import: async (given, options) => {
			if (typeof given !== 'string' && !Array.isArray(given)) {
				throw new InputError([{ path: 'boards', message: 'must be an array, or CSV as text' }]);
			}
			const boards = typeof given === 'string' ? given : given.map(importedBoard);
			return await request({
				method: 'PUT',
				path,
				body: jsonBody({ boards }),
				options,
				read: (body) => readCounts(body),
			});
		},
	};
}

/** The service validates the fields, which may have the names of an export. */
function importedBoard(board: object) {
	return snakeCased(readInput({}, board));
}
