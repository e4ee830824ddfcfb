// Reads the input of callers, with times in the units of the API.
import * as z from 'zod/mini';
import { rolePattern, roleRule } from '../contract/lease.ts';
import { unknownOption } from '../contract/names.ts';
import { InputError } from '../errors/errors.ts';
import { fieldRule, filledText, isObject, readInput, snakeCased } from '../records/records.ts';
import type { LeaseTerms } from './types.ts';

const text = z.nullable(z.string());

function milliseconds(min: number, message: string) {
	const fits = (value: unknown): value is number | null =>
		value === null ||
		(typeof value === 'number' && value >= min && value < Number.POSITIVE_INFINITY);
	return fieldRule(fits, message);
}

const durationFields = {
	durationMs: milliseconds(1, 'must be a number of milliseconds, 1 or more'),
};

const filled = z.nullable(filledText);

const boardFields = {
	boardType: filled,
	boardId: filled,
	tags: fieldRule(
		(tags): tags is Record<string, string | null> | null =>
			tags === null || (isObject(tags) && Object.values(tags).every(isTag)),
		"must be an object of text or null, such as { radio: 'lora' }",
	),
	requiresAgent: z.nullable(z.boolean()),
};

const termFields = {
	...durationFields,
	waitMs: milliseconds(0, 'must be a number of milliseconds, 0 or more'),
	label: text,
};

const isTag = (value: unknown) => value === null || typeof value === 'string';

export function readLeaseInput(input: unknown) {
	const { durationMs, waitMs, label, ...board } = readInput(
		{ ...boardFields, ...termFields },
		input,
	);
	checkBoard(board);
	return { ...board, label, ...unitsOf({ durationMs, waitMs }) };
}

/** The boards of a group by their roles, and its terms. */
export function readGroupInput(boards: unknown, terms: unknown = {}) {
	const given = Object.entries(isObject(boards) ? boards : {});
	if (given.length === 0) {
		throw new InputError([{ path: '', message: 'must be an object of boards by their roles' }]);
	}
	const read = given.map(([role, wanted]) => {
		const rule = reserved.includes(role) ? 'must not be release or then' : roleRule;
		if (rule !== roleRule || !rolePattern.test(role)) {
			throw new InputError([{ path: role, message: `is no role: it ${rule}` }]);
		}
		const board = readInput(boardFields, wanted);
		checkBoard(board, `${role}.`);
		return [role, snakeCased(board)];
	});
	const { durationMs, waitMs, ...others } = readInput({ ...termFields, sameTag: filled }, terms);
	return { boards: Object.fromEntries(read), ...others, ...unitsOf({ durationMs, waitMs }) };
}

/** What a group has besides its leases, and what would make it a promise. */
const reserved = ['release', 'then'];

function checkBoard(
	{ boardType, boardId }: { boardType?: unknown; boardId?: unknown },
	where = '',
) {
	if (isGiven(boardType) !== isGiven(boardId)) return;
	const message = 'is required unless boardId is given; pass only one of them';
	throw new InputError([{ path: `${where}boardType`, message }]);
}

function unitsOf({ durationMs, waitMs }: LeaseTerms) {
	const waitSeconds = isGiven(waitMs) ? Math.ceil(waitMs / 1_000) : undefined;
	return { minutes: minutesOf(durationMs), waitSeconds };
}

export function readPinInput(input: unknown) {
	const fields = { pin: z.string(), volts: z.nullable(z.number()) };
	return readInput(fields, input, fields);
}

export function readRenewal(input: unknown) {
	const { durationMs, ...others } = readInput(durationFields, input);
	const known = Object.keys(durationFields);
	const issues = Object.keys(others).map((path) => ({ path, message: unknownOption(path, known) }));
	if (issues.length > 0) throw new InputError(issues);
	return minutesOf(durationMs);
}

function minutesOf(durationMs: number | null | undefined) {
	return isGiven(durationMs) ? Math.ceil(durationMs / 60_000) : undefined;
}

function isGiven<Value>(value: Value): value is NonNullable<Value> {
	return value !== undefined && value !== null;
}
