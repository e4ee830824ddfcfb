// The requests of admins about boards.
import * as z from 'zod/mini';
import type { AdminBoards } from '../../admin-boards.ts';
import { readBoard } from '../boards/list.ts';
import type { RequestFunction } from '../request.ts';
import { collectionRequests } from './collection.ts';

const text = z.optional(z.nullable(z.string()));

const fields = {
	name: text,
	boardType: text,
	status: text,
	description: text,
	tags: z.optional(z.nullable(z.record(z.string(), z.string()))),
	creditsPerMinute: z.optional(z.nullable(z.number())),
};

export function adminBoards(request: RequestFunction): AdminBoards {
	return collectionRequests(request, {
		path: '/v1/admin/boards',
		noun: 'board',
		input: { ...fields, name: z.string(), boardType: z.string() },
		update: fields,
		read: (body) => readBoard(body),
	});
}
