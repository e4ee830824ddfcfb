// The database finds the boards that `suits` allows, in the order in which `plan` prefers them.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { columnsOf } from '../../../src/boards/change.ts';
import { timestamp } from '../../../src/database/clock.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migrations.ts';
import { preferredFirst, suiting } from '../../../src/leases/queue/boards.ts';
import { byPreference, type Suitable, suits } from '../../../src/leases/rules/order.ts';

const database = await openDatabase(':memory:');
await migrate(database.query);
afterAll(() => database.close());

const types = ['esp32', 'uno'] as const;
const ids = ['b1', 'b2', 'b3', 'b4'] as const;

/** Names and values that only differ by where a quote, a comma or a brace is, or by case. */
const tags = fc.dictionary(
	fc.constantFrom('a', 'A', 'a":"b', '_', 'constructor'),
	fc.constantFrom('b', 'B', '', 'b","a":"b', '%'),
	{ maxKeys: 2 },
);

const board = (id: string) =>
	fc.record({
		id: fc.constant(id),
		board_type: fc.constantFrom(...types),
		credits_per_minute: fc.nat(2),
		agent_id: fc.constantFrom('agt_1', null),
		tags: tags.map((each) => JSON.stringify(each)),
	});

const boards = fc
	.subarray([...ids], { minLength: 1 })
	.chain((some) => fc.tuple(...some.map(board)));

const time = timestamp(0);

function rowOf({ agent_id, tags, ...board }: Suitable) {
	const { id: name } = board;
	const described = { ...board, name, status: 'available', description: '' } as const;
	const { status } = described;
	const columns = columnsOf({ ...described, tags: JSON.parse(tags) });
	return { ...columns, agent_id, status, created_at: time, updated_at: time };
}

const lease = fc.record({
	board_type: fc.constantFrom(...types),
	wanted_board_id: fc.option(fc.constantFrom(...ids), { freq: 2 }),
	wanted_tags: fc
		.dictionary(
			fc.constantFrom('a', 'A', 'a":"b', 'constructor'),
			fc.option(fc.constantFrom('b', 'B', '', 'b","a":"b')),
			{ maxKeys: 1 },
		)
		.map((each) => JSON.stringify(each)),
	requires_agent: fc.constantFrom(0, 1),
	most_credits_per_minute: fc.nat(2),
});

test('boards that suit a lease', async () => {
	await fc.assert(
		fc.asyncProperty(boards, lease, async (given, lease) => {
			const { query } = database;
			await query.deleteFrom('boards').execute();
			await query.insertInto('boards').values(given.map(rowOf)).execute();
			const suitable = query.selectFrom('boards').where(suiting(lease)).$call(preferredFirst);
			const found = await suitable.select('id').execute();
			const expected = given.filter((one) => suits(one, lease)).toSorted(byPreference);
			expect(found).toEqual(expected.map(({ id }) => ({ id })));
		}),
		{ numRuns: 300 },
	);
});
