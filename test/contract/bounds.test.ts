// No number that a sender chooses is too large for a column, a date, a timer or a buffer.
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as link from '../../src/contract/agent.ts';
import * as requests from '../../src/contract/requests.ts';

/** The schemas that a schema consists of, with itself. Of a pipe, only what comes out of it is used. */
function* partsOf(
	part: unknown,
	path: string,
): Generator<readonly [path: string, schema: z.core.$ZodType]> {
	if (part instanceof z.core.$ZodType) yield [path, part];
	if (typeof part !== 'object' || part === null) return;
	const inner = part instanceof z.core.$ZodType ? part._zod.def : part;
	for (const [name, value] of Object.entries(inner)) {
		if (name === 'checks' || (name === 'in' && 'out' in inner)) continue;
		yield* partsOf(value, `${path}.${name}`);
	}
}

const schemas = Object.entries({ ...link, ...requests }).filter(
	([, value]) => value instanceof z.core.$ZodType,
);
const numbers = schemas.flatMap(([name, schema]) =>
	[...partsOf(schema, name)].filter(([, part]) => part._zod.def.type === 'number'),
);

/** What z.int() allows by itself is no limit. */
function limitsOf({ _zod: { def } }: z.core.$ZodType) {
	const isInt32 = 'format' in def && def.format === 'int32';
	const checks = (def.checks ?? []).map(
		({ _zod }) => _zod.def as { check: string; value?: number },
	);
	const limit = (name: string) => checks.find(({ check }) => check === name)?.value;
	return [limit('greater_than') ?? isInt32, limit('less_than') ?? isInt32];
}

it.each(numbers)('%s has a least and a highest number', (_, schema) => {
	for (const given of limitsOf(schema)) expect(given).not.toBe(false);
});

it('finds the numbers', () => {
	const paths = numbers.map(([path]) => path).join('\n');
	for (const name of ['uptime_ms', 'remaining_ms', 'minutes', 'hz', 'position']) {
		expect(paths).toContain(name);
	}
});
