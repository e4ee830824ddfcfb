// The requests of admins about boards.
import * as z from 'zod/mini';
import { collectionRequests } from '../http/collection.ts';
import type { RequestFunction } from '../http/request.ts';
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
