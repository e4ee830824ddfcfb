// The requests about boards.
import * as z from 'zod/mini';
import { collectionRequests } from '../http/collection.ts';
import { createListing } from '../http/list.ts';
import { recordPath } from '../http/path.ts';
import type { RequestFunction } from '../http/request.ts';
import { boardsPath, readBoard, tags, wireQuery } from './records.ts';
import type { AdminBoards, Boards } from './types.ts';
import { waitForBoards } from './wait.ts';

export function createBoards(request: RequestFunction): Boards {
	return {
		list: (query, options) =>
			createListing(request, () => ({
				path: boardsPath,
				query: wireQuery(query),
				read: readBoard,
				options,
			})),
		get: async (id, options) =>
			await request({
				method: 'GET',
				path: recordPath(boardsPath, id, 'board'),
				options,
				read: (body) => readBoard(body),
			}),
		waitFor: async (query, options) => await waitForBoards(request, query, options),
	};
}

const text = z.nullable(z.string());

const fields = {
	name: text,
	boardType: text,
	status: text,
	description: text,
	tags: z.nullable(tags),
	creditsPerMinute: z.nullable(z.number()),
};

export function createAdminBoards(request: RequestFunction): AdminBoards {
	return collectionRequests(request, {
		path: '/v1/admin/boards',
		noun: 'board',
		fields,
		needed: { name: z.string(), boardType: z.string() },
		read: readBoard,
	});
}
