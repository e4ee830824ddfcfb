// Validates input against a schema.
import { redact } from 'board-access-contract';
import * as z from 'zod/mini';
import { ApiError } from './errors.ts';

/** The query of a request that has none. */
export const noQuery = z.strictObject({});

/** Returns the parsed value, or throws one error that lists all invalid fields. */
export function validate<Schema extends z.ZodMiniType>(
	schema: Schema,
	value: unknown,
): z.output<Schema> {
	const result = schema.safeParse(value, { error: explain });
	if (!result.success) throw invalid(result.error.issues.flatMap(issuesOf));
	rejectUnstorable(result.data);
	return result.data;
}

/** Returns undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** More than any field has. Code that reads a value recursively fails at some thousands. */
const maxDepth = 20;

/** Rejects what a database cannot store, or stores as another text. */
function rejectUnstorable(values: unknown) {
	const problems = Object.entries(Object(values)).flatMap(([path, value]) => {
		const message = storageProblem(value);
		return message ? [{ path, message }] : [];
	});
	if (problems.length > 0) throw invalid(problems);
}

function storageProblem(value: unknown, depth = 1): string | undefined {
	if (depth > maxDepth) return 'must not be nested so deeply';
	if (typeof value === 'string') {
		if (value.includes('\0')) return 'must not contain NUL';
		return value.isWellFormed() ? undefined : 'must not contain half of a character';
	}
	for (const inner of Object.entries(Object(value)).flat()) {
		const problem = storageProblem(inner, depth + 1);
		if (problem) return problem;
	}
	return undefined;
}

/** Keeps a response from being many times larger than its request. */
const maxErrors = 50;

export function invalid(all: { path: string; message: string }[]) {
	const [first] = all;
	const sentences = all.map(({ path, message }) => `${path || 'The body'} ${message}`);
	return new ApiError('invalid_request', `${firstOf(sentences).join('; ')}.`, {
		...(first && { param: first.path }),
		errors: all.slice(0, maxErrors),
	});
}

export function firstOf(problems: readonly string[]) {
	if (problems.length <= maxErrors) return problems;
	return [...problems.slice(0, maxErrors), 'and more'];
}

export function explain(issue: z.core.$ZodRawIssue): string {
	switch (issue.code) {
		case 'invalid_value':
			return `must be one of ${issue.values.join(', ')}`;
		case 'invalid_type':
			if (issue.input === undefined) return 'is required';
			return `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`;
		case 'too_small':
			return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}`;
		case 'too_big':
			return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
		default:
			return 'is not valid';
	}
}

/** The message of an issue, and its field; an unknown field is named itself. */
export function issuesOf(issue: z.core.$ZodIssue): { path: string; message: string }[] {
	const path = issue.path.map((name) => printableName(String(name))).join('.');
	if (issue.code === 'invalid_union') {
		// The option whose type matches has only issues of its fields.
		const inside = issue.errors.find((issues) => issues.every((each) => each.path.length > 0));
		const withPath = (each: z.core.$ZodIssue) => ({ ...each, path: [...issue.path, ...each.path] });
		if (inside) return inside.flatMap((each) => issuesOf(withPath(each)));
	}
	if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
	const keys = issue.keys.slice(0, maxErrors + 1);
	return keys.map((key) => ({ path: printableName(key), message: 'is not a known name' }));
}

/** Shortens a name from a request, and redacts API keys in it. */
export function printableName(name: string) {
	return redact(name).slice(0, 100);
}
