// Makes the wire's records into those that callers see: checked, and in camelCase.
import * as z from 'zod/mini';
import { InputError, type Issue, ResponseError } from './errors.ts';
import { fitsOf } from './fits.ts';
import { redact } from './redact.ts';

// Compiling the checks gains nothing at this size, and pages with a strict policy forbid it.
z.config({ jitless: true });

/** The TypeScript of a wire record after {@link readRecord}; JSON has no `undefined`. */
export type CamelCased<Wire> = {
	[Name in keyof Wire as Name extends string ? CamelCase<Name> : Name]: Exclude<
		Wire[Name],
		undefined
	>;
};

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
	? `${Head}${Capitalize<CamelCase<Tail>>}`
	: Name;

type Tolerant<Shape extends z.core.$ZodShape> = {
	[Name in keyof Shape]: Name extends 'id'
		? Shape[Name]
		: z.ZodMiniOptional<z.ZodMiniNullable<Shape[Name]>>;
};

/**
 * What the client accepts where the service answers a record: nothing but the `id` is required, so
 * that it also fits another version of the service.
 */
export const tolerant = <Shape extends z.core.$ZodShape>(shape: Shape) => {
	const fields = Object.entries(shape).map(([name, field]) => [
		name,
		name === 'id' ? field : z.optional(z.nullable(field)),
	]);
	// The entries are those of the shape, each wrapped as Tolerant says.
	return z.object(Object.fromEntries(fields) as Tolerant<Shape>);
};

const camelNames = new Map<string, string>();

const camelName = (name: string) => {
	let known = camelNames.get(name);
	if (known === undefined) {
		known = name.replace(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) =>
			letter.toUpperCase(),
		);
		if (camelNames.size < 500) camelNames.set(name, known);
	}
	return known;
};

const camelCased = <Wire extends object>(record: Wire) => {
	const result: Record<string, unknown> = {};
	for (const name in record) {
		// A server may send any name; assigning to this one would change the object's prototype.
		if (name !== '__proto__') result[camelName(name)] = record[name];
	}
	return result as CamelCased<Wire>; // the same fields under the names that the type computes
};

/** The record with the wire's names for its fields. */
export const snakeCased = (record: object) =>
	Object.fromEntries(
		Object.entries(record).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);

const expectation: z.core.$ZodErrorMap = (issue) =>
	issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : undefined;

const pathText = (path: readonly PropertyKey[]) =>
	path.reduce<string>((text, part) => {
		if (typeof part === 'number') return `${text}[${part}]`;
		return text === '' ? String(part) : `${text}.${String(part)}`;
	}, '');

const issuesOf = (error: z.core.$ZodError): Issue[] =>
	error.issues.map(({ path, message }) => ({ path: pathText(path), message }));

const checks = new WeakMap<z.ZodMiniType, (value: unknown) => boolean>();

const fits = (schema: z.ZodMiniType, body: unknown) => {
	const check = checks.get(schema) ?? fitsOf(schema);
	checks.set(schema, check);
	return check(body);
};

function assertFits<Wire>(
	schema: z.ZodMiniType<Wire>,
	body: unknown,
	where: string,
): asserts body is Wire {
	if (fits(schema, body)) return;
	const result = z.safeParse(schema, body, { error: expectation });
	if (result.success) return;
	const [{ path, message }] = issuesOf(result.error) as [Issue]; // a failure has an issue
	const place = path.startsWith('[') || where === '' ? where + path : `${where}.${path}`;
	throw new ResponseError(
		`The answer is not what the call needs${place && ` at ${redact(place)}`}: ${message}`,
		{ code: 'invalid_response', hint: 'Check that baseUrl is the address of the API.' },
	);
}

// The records are made of what came, not of what the schema gives: it knows only the known fields.

/** One record of an answer. */
export const readRecord = <Wire extends object>(schema: z.ZodMiniType<Wire>, body: unknown) => {
	assertFits(schema, body, '');
	return camelCased(body);
};

/** The records of a list. */
export const readRecords = <Wire extends object>(
	schema: z.ZodMiniType<Wire[]>,
	items: unknown[],
	where: string,
) => {
	assertFits(schema, items, where);
	return items.map((item) => camelCased(item));
};

/** The caller's input, or an {@link InputError} that names every fault in it. */
export const readInput = <Input>(schema: z.ZodMiniType<Input>, input: unknown): Input => {
	const result = z.safeParse(schema, input, { error: expectation });
	if (!result.success) throw new InputError(issuesOf(result.error));
	return result.data;
};
