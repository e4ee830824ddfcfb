// Boards as callers see them, and the list of them.
import * as z from 'zod/mini';
import { boardFields } from '../contract/board.ts';
import { fieldRule, filledText, isObject, recordReader, textOrList } from '../records/records.ts';
import type { BoardMemory } from './types.ts';

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

export const boardList = {
	route: 'GET /v1/boards',
	filters: { boardType: textOrList, status: filledText, hasAgent: z.boolean(), tags },
	read: readBoard,
} as const;

/** Whether it is no instance of a class; `{}` may come from another realm. */
function isPlain(value: object) {
	const prototype = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
