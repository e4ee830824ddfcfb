// What a step of a scenario may be, in a program and in a file, and the words for what it may not be.
import { nearest } from './names.ts';

type Rule = readonly [fits: (value: unknown) => boolean, message: string];

/** The longest time of a timer, in milliseconds. */
const maxTime = 2 ** 31 - 1;

const pattern = 'must be text that is not empty, or a regular expression';
const time: Rule = [
	(value) => typeof value === 'number' && value >= 1 && value <= maxTime,
	'must be a number of milliseconds, at least 1',
];

const rules: Readonly<Record<string, Rule>> = {
	expect: [isPattern, pattern],
	fail: [(value) => [value].flat().length > 0 && [value].flat().every(isPattern), pattern],
	send: [
		(value) => value instanceof Uint8Array || isText(value),
		'must be text that is not empty, or a Uint8Array',
	],
	wait: time,
	waitMs: time,
	reset: [(value) => value === true, 'must be true'],
	timeout: time,
};

/** What is wrong, and the field that it is about, if it is not all of them. */
export interface StepProblem {
	message: string;
	field?: string | undefined;
}

/** What is wrong with a step that has one of these kinds. */
export function problemOf(step: unknown, kinds: readonly string[]): StepProblem | undefined {
	const problem = unknownField(step, [...kinds, 'timeout']);
	if (problem) return problem;
	const given = Object.entries(Object(step)).filter(([, value]) => value !== undefined);
	const [kind, ...others] = given.map(([name]) => name).filter((name) => name !== 'timeout');
	if (!kind || others.length > 0) return { message: `a step has one of ${kinds.join(', ')}` };
	if (given.length > 1 && kind !== 'expect') {
		return { message: 'only expect can have a timeout', field: 'timeout' };
	}
	const wrong = given.find(([name, value]) => !rules[name]?.[0](value));
	return wrong && { message: `${wrong[0]}: ${rules[wrong[0]]?.[1]}`, field: wrong[0] };
}

/** What is wrong with the names of the fields. */
export function unknownField(value: unknown, known: readonly string[]): StepProblem | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return { message: `must be a map of ${known.join(', ')}` };
	}
	const field = Object.keys(value).find((name) => !known.includes(name));
	if (field === undefined) return undefined;
	const meant = nearest(field, known);
	const advice = `${meant ? `Did you mean ${meant}? ` : ''}Allowed: ${known.join(', ')}.`;
	return { message: `there is no "${field}". ${advice}`, field };
}

function isPattern(value: unknown) {
	return value instanceof RegExp || isText(value);
}

function isText(value: unknown) {
	return typeof value === 'string' && value !== '';
}
