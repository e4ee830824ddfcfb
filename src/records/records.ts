// Turns the records of the wire into those that callers see: checked, and in camelCase.
import * as z from 'zod/mini';
import { type CamelCase, camelCase, nearest, snakeCase } from '../contract/names.ts';
import { redact } from '../contract/printable.ts';
import { InputError, invalidResponse } from '../errors/errors.ts';
import { checkDepth } from './json.ts';

/** The fields of a wire record: the `shape` of its schema in the contract. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** A record as callers see it, if the service sends what the contract says. */
export type Received<Fields extends Shape> = {
	readonly [Name in keyof Sent<Fields> as CamelCase<Name>]: Sent<Fields>[Name];
};

type Sent<Fields extends Shape> = z.output<z.ZodMiniObject<Fields>>;

/** What no method can do without. */
const neededFields: readonly string[] = ['id', 'key'];

const expectation: z.core.$ZodErrorMap = (issue) =>
	issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : undefined;

/**
 * Reads one record of a response; `where` is its path in there. What the service sends is typed, so that the compiler
 * compares the fields with the contract, and is checked nevertheless.
 */
export type ReadRecord<Item, Body = never> = (body: Body, where?: readonly PropertyKey[]) => Item;

interface RecordRules {
	/** Whether the client relies on all fields. Those that can be null are null if they are missing. */
	complete?: boolean;
	/** The values of later fields, which older services do not send. */
	defaults?: Readonly<Record<string, unknown>>;
}

/** Creates the function that reads records of a shape. Fields that it does not know come through. */
export function recordReader<Fields extends Shape>(
	shape: Fields,
	{ complete = false, defaults = {} }: RecordRules = {},
): ReadRecord<Received<Fields>, Sent<Fields>> {
	return (sent: unknown, where = []) => {
		if (!isObject(sent)) throw invalidRecord(where, 'must be of type object');
		const body: Record<string, unknown> = { ...defaults, ...sent };
		for (const [name, schema] of Object.entries(shape)) {
			const value = body[name] ?? null;
			if (value === null && !complete && !neededFields.includes(name)) continue;
			const [issue] = issuesOf(schema, value);
			if (issue) throw invalidRecord([...where, name, ...issue.path], issue.message);
			body[name] = value;
		}
		for (const name in body) if (!Object.hasOwn(shape, name)) checkDepth(body[name]);
		// A server may send any name; `__proto__` would change the prototype of what it is copied to.
		const fields = Object.entries(body).filter(([name]) => name !== '__proto__');
		const record = Object.fromEntries(fields.map(([name, value]) => [camelCase(name), value]));
		return record as Received<Fields>; // the fields that were checked, under their other names
	};
}

/** The record with the wire's names for its fields, without those that are null. */
export function snakeCased(record: object) {
	return Object.fromEntries(
		Object.entries(record)
			.filter(([, value]) => value !== null)
			.map(([name, value]) => [snakeCase(name), value]),
	);
}

/** The caller's input, or an {@link InputError} that names every problem. Only `needed` fields must be there. */
export function readInput<Fields extends Shape>(
	fields: Fields,
	input: unknown,
	needed: Shape = {},
): Checked<Fields> {
	if (!isObject(input)) throw new InputError([{ path: '', message: 'must be of type object' }]);
	const issues = Object.entries({ ...fields, ...needed }).flatMap(([name, schema]) =>
		input[name] === undefined && !(name in needed)
			? []
			: issuesOf(schema, input[name]).map(({ path, message }) => ({
					path: pathText([name, ...path]),
					message,
				})),
	);
	issues.push(...misspelled(input, Object.keys(fields)));
	if (issues.length > 0) throw new InputError(issues);
	return input as Checked<Fields>; // its fields were just checked
}

/** Has `console.log` mask the secret of a record. */
export function masked<Item extends object>(record: Item, secret: keyof Item) {
	const value = () => ({ ...record, [secret]: '[shown once]' });
	return Object.defineProperty(record, Symbol.for('nodejs.util.inspect.custom'), { value });
}

/** Other names are left to the service, which may know more. */
function misspelled(input: object, known: readonly string[]) {
	const others = Object.keys(input).filter((name) => !known.includes(name));
	return others.flatMap((path) => {
		const meant = nearest(path, known);
		return meant ? [{ path, message: `is not a field (did you mean ${meant}?)` }] : [];
	});
}

/** The query of a list on the wire, or an {@link InputError}. */
export function listQuery(filters: Shape, query: unknown = {}) {
	const fields: Shape = { ...filters, pageSize: z.number(), cursor: filledText };
	const { pageSize: limit, tags, ...rest } = readInput(fields, query);
	const wire: Record<string, unknown> = { ...snakeCased(rest), limit };
	// Checked by the list that has tags; in another one, their name is reported as it is.
	if ('tags' in filters) {
		wire.tag = tags && Object.entries(tags).map(([name, value]) => `${name}:${value}`);
	} else if (tags !== undefined) wire.tags = tags;
	return wire;
}

/** A field with a rule of its own: an enum, an array or a record of zod would be far more code. */
export function fieldRule<Value>(fits: (value: unknown) => value is Value, message: string) {
	const schema = z.unknown().check(({ value, issues }) => {
		if (!fits(value)) issues.push({ code: 'custom', input: value, message });
	});
	return schema as z.ZodMiniType<Value>; // all others were reported
}

/** Empty text is a variable that is not set, and would match nothing. */
export const filledText = fieldRule(isFilled, 'must be text that is not empty');

/** A filter of a list: one text or several. */
export const textOrList = fieldRule((value): value is string | string[] => {
	const all = [value].flat();
	// An empty list would be no filter at all, and so list everything.
	return all.length > 0 && all.every(isFilled);
}, 'must be text or a list of text that is not empty');

function isFilled(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

type Checked<Fields extends Shape> = { [Name in keyof Fields]?: z.output<Fields[Name]> };

function issuesOf(schema: z.ZodMiniType, value: unknown) {
	return z.safeParse(schema, value, { error: expectation }).error?.issues ?? [];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathText(path: readonly PropertyKey[]) {
	return path.reduce<string>((text, part) => {
		if (typeof part === 'number') return `${text}[${part}]`;
		return text === '' ? String(part) : `${text}.${String(part)}`;
	}, '');
}

function invalidRecord(path: readonly PropertyKey[], message: string) {
	const where = path.length > 0 ? ` at ${redact(pathText(path.map(shortened)))}` : '';
	return invalidResponse(`The response does not have the expected form${where}: ${message}`);
}

/** A name from the service may be long, or contain what was sent to it. */
function shortened(name: PropertyKey) {
	return typeof name === 'string' && !/^[\w-]{1,40}$/.test(name) ? '…' : name;
}
