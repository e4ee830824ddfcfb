// The list of boards.
import * as z from 'zod/mini';
import type { Board, BoardQuery } from '../../boards.ts';
import { boardFields } from '../../contract/board.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { fieldRule, readInput, recordReader } from '../records.ts';
import type { RequestOptions } from '../settings.ts';

export const readBoard = recordReader(boardFields);

const queryFields = {
	boardType: z.optional(fieldRule(isTextOrList, 'must be text or a list of text')),
	status: z.optional(z.string()),
	tags: z.optional(z.record(z.string(), z.string())),
	pageSize: z.optional(z.number()),
	cursor: z.optional(z.string()),
};

export const boardsPath = '/v1/boards';

export function listBoards(query: BoardQuery = {}, options?: RequestOptions): ListRequest<Board> {
	return { path: boardsPath, query: () => wireQuery(query), read: readBoard, options };
}

/** The query on the wire, or an {@link InputError}. */
export function wireQuery(query: BoardQuery) {
	const { tags = {}, ...filters } = readInput(queryFields, query);
	const pairs = Object.entries(tags).map(([name, value]) => `${name}:${value}`);
	return { ...pageQuery(filters), tag: pairs };
}

function isTextOrList(value: unknown) {
	return [value].flat().every((each) => typeof each === 'string');
}
