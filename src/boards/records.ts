// Boards as callers see them, and the query that lists them.
import * as z from 'zod/mini';
import { boardFields } from '../contract/board.ts';
import {
	fieldRule,
	filledText,
	isObject,
	listQuery,
	recordReader,
	textOrList,
} from '../records/records.ts';
import type { BoardMemory, BoardQuery } from './types.ts';

export const boardsPath = '/v1/boards';

/** Tag names with their values. */
export const tags = z.unknown().check(({ value, issues }) => {
	// A Map or a promise would count as an object without entries, and then as no filter at all.
	if (!isObject(value) || !isPlain(value)) {
		issues.push({ code: 'invalid_type', expected: 'object', input: value });
		return;
	}
	for (const [name, text] of Object.entries(value)) {
		// Records leave out the name `__proto__`, whatever its value is.
		if (typeof text === 'string' || name === '__proto__') continue;
		issues.push({ code: 'invalid_type', expected: 'string', input: text, path: [name] });
	}
}) as z.ZodMiniType<Record<string, string>>; // all others were reported

const memory = fieldRule(
	(value): value is BoardMemory =>
		isObject(value) && typeof value.start === 'number' && typeof value.size === 'number',
	'must have start and size',
);

export const readBoard = recordReader({ ...boardFields, tags, memory: z.nullable(memory) });

const filters = {
	boardType: textOrList,
	status: filledText,
	hasAgent: z.boolean(),
	tags,
};

/** The query on the wire, or an {@link InputError}. */
export function wireQuery(query: BoardQuery | undefined) {
	const wire = listQuery(filters, query);
	return {
		...wire,
		tags: undefined,
		tag: Object.entries(query?.tags ?? {}).map(([name, value]) => `${name}:${value}`),
	};
}

/** Whether it is no instance of a class; `{}` may come from another realm. */
function isPlain(value: object) {
	const prototype = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
