import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { apiKey, baseImage, board } from '../src/contract/index.ts';
import { fitsOf } from '../src/fits.ts';
import { tolerant } from '../src/records.ts';

const boards = z.array(tolerant({ ...board.shape, status: z.string() }));
const records = [boards, tolerant(apiKey.shape), tolerant(baseImage.shape)];

const aBoard = {
	id: 'brd_1',
	name: 'One',
	board_type: 'esp32',
	status: 'available',
	tags: { rack: 'b2' },
	created_at: null,
	more: [1],
};

// Values that often almost fit: the right names with all kinds of values.
const names = [...Object.keys(board.shape), ...Object.keys(apiKey.shape), 'action', 'enabled'];
const value = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null), fc.jsonValue());
const record = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), value));
const body = fc.oneof(record, fc.array(record), fc.array(fc.constant(aBoard)), fc.jsonValue());

describe('the quick check of records', () => {
	it('says yes to nothing that zod refuses', () => {
		fc.assert(
			fc.property(fc.constantFrom(...records), body, (schema, value) => {
				if (fitsOf(schema)(value)) expect(z.safeParse(schema, value).success).toBe(true);
			}),
			{ numRuns: 2000 },
		);
	});

	it('says yes to what services answer', () => {
		expect(fitsOf(boards)([aBoard, { id: 'brd_2' }])).toBe(true);
		expect(fitsOf(boards)([])).toBe(true);
	});

	it.each([
		['a form', z.email()],
		['a length', z.string().check(z.minLength(1))],
		['a list of words', z.enum(['a'])],
		['no other fields', z.strictObject({})],
		['keys of a form', z.record(z.email(), z.string())],
		['a conversion', z.coerce.string()],
	])('leaves %s to zod', (_, schema) => {
		expect(fitsOf(schema)('a@example.com')).toBe(false);
		expect(fitsOf(schema)({ a: 'b' })).toBe(false);
	});
});
