// What callers say about the lease that they want, and the same on the wire.

import * as z from 'zod/mini';
import { unknownOption } from '../contract/names.ts';
import { InputError } from '../errors/errors.ts';
import { fieldRule, readInput } from '../records/records.ts';
import type { LeaseDuration, LeaseTerms } from './types.ts';

const text = z.nullable(z.string());

const milliseconds = fieldRule(
	(value): value is number | null =>
		value === null || (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY),
	'must be a number of milliseconds, 0 or more',
);

const durationFields = { durationMs: milliseconds, minutes: z.nullable(z.number()) };

const leaseFields = {
	boardType: text,
	boardId: text,
	...durationFields,
	waitMs: milliseconds,
	waitSeconds: z.nullable(z.number()),
	label: text,
	requiresAgent: z.nullable(z.boolean()),
};

/** The lease with its times in the units of the wire, or an {@link InputError}. */
export function readLeaseInput(input: unknown) {
	const { durationMs, minutes, waitMs, waitSeconds, ...wanted } = readInput(leaseFields, input);
	if (isGiven(wanted.boardType) === isGiven(wanted.boardId)) {
		const message = 'is required unless boardId is given; pass only one of them';
		throw new InputError([{ path: 'boardType', message }]);
	}
	return {
		...wanted,
		minutes: minutesOf({ durationMs, minutes }),
		waitSeconds: secondsOf({ waitMs, waitSeconds }),
	};
}

/** What drives a pin, or an {@link InputError}. */
export function readPinInput(input: unknown) {
	const fields = { pin: z.string(), volts: z.nullable(z.number()) };
	return readInput(fields, input, fields);
}

/** The minutes of a renewal, or an {@link InputError}. */
export function readRenewal(input: unknown) {
	const { durationMs, minutes, ...others } = readInput(durationFields, input);
	const issues = Object.keys(others).map((path) => ({
		path,
		message: unknownOption(path, Object.keys(durationFields)),
	}));
	if (issues.length > 0) throw new InputError(issues);
	return minutesOf({ durationMs, minutes });
}

function minutesOf({ durationMs, minutes }: LeaseDuration) {
	if (!isGiven(durationMs)) return minutes ?? undefined;
	if (isGiven(minutes)) throw givenTwice('minutes', 'durationMs');
	return Math.ceil(durationMs / 60_000);
}

function secondsOf({ waitMs, waitSeconds }: Pick<LeaseTerms, 'waitMs' | 'waitSeconds'>) {
	if (!isGiven(waitMs)) return waitSeconds ?? undefined;
	if (isGiven(waitSeconds)) throw givenTwice('waitSeconds', 'waitMs');
	return Math.ceil(waitMs / 1_000);
}

function isGiven<Value>(value: Value): value is NonNullable<Value> {
	return value !== undefined && value !== null;
}

function givenTwice(path: string, other: string) {
	return new InputError([{ path, message: `must be omitted if ${other} is given` }]);
}
