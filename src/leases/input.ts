// Reads the input of callers, with times in the units of the API.
import * as z from 'zod/mini';
import { unknownOption } from '../contract/names.ts';
import { InputError } from '../errors/errors.ts';
import { fieldRule, filledText, readInput } from '../records/records.ts';

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

const board = z.nullable(filledText);

const leaseFields = {
	boardType: board,
	boardId: board,
	...durationFields,
	waitMs: milliseconds(0, 'must be a number of milliseconds, 0 or more'),
	label: text,
	requiresAgent: z.nullable(z.boolean()),
};

export function readLeaseInput(input: unknown) {
	const { durationMs, waitMs, ...wanted } = readInput(leaseFields, input);
	if (isGiven(wanted.boardType) === isGiven(wanted.boardId)) {
		const message = 'is required unless boardId is given; pass only one of them';
		throw new InputError([{ path: 'boardType', message }]);
	}
	const waitSeconds = isGiven(waitMs) ? Math.ceil(waitMs / 1_000) : undefined;
	return { ...wanted, minutes: minutesOf(durationMs), waitSeconds };
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
