import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { tags } from '../../src/boards/records.ts';
import { fieldRule, recordReader } from '../../src/records/records.ts';

const schemas = {
	text: z.string(),
	'text with a rule': z.string().check(z.minLength(2)),
	'text or null': z.nullable(z.string()),
	'a record': z.record(z.string(), z.string()),
	anything: z.unknown(),
	'anything with a rule': fieldRule((value) => value === 'a', 'must be a'),
	number: z.number(),
	boolean: z.boolean(),
	'a word of a list': z.enum(['a', 'b']),
};

const accepts = (schema: z.ZodMiniType, value: unknown) => {
	try {
		recordReader({ field: schema })({ field: value });
		return true;
	} catch {
		return false;
	}
};

const values = fc.oneof(
	fc.jsonValue(),
	fc.string({ maxLength: 3 }),
	fc.constantFrom('a', 'b'),
	fc.dictionary(fc.string(), fc.string({ maxLength: 3 })),
	fc.constantFrom(new Map([['rack', 'b2']]), new Headers({ rack: 'b2' }), new URLSearchParams()),
	fc.constant(JSON.parse('{"__proto__": 1}')),
);

describe('a field', () => {
	it.each(Object.entries(schemas))(
		'%s is accepted when zod accepts it, or left out',
		(_, schema) => {
			fc.assert(
				fc.property(values, (value) => {
					const expected = value === null || z.safeParse(schema, value).success;
					expect(accepts(schema, value)).toBe(expected);
				}),
			);
		},
	);
});

it('accepts tags as a record of zod does', () => {
	const record = z.record(z.string(), z.string());
	fc.assert(
		fc.property(values, (value) => {
			expect(accepts(tags, value)).toBe(value === null || z.safeParse(record, value).success);
		}),
	);
});
