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

const board = (id: string) =>
	fc.record({
		id: fc.constant(id),
		board_type: fc.constantFrom(...types),
		credits_per_minute: fc.nat(2),
		agent_id: fc.constantFrom('agt_1', null),
	});

const boards = fc
	.subarray([...ids], { minLength: 1 })
	.chain((some) => fc.tuple(...some.map(board)));

const time = timestamp(0);

function rowOf({ agent_id, ...board }: Suitable) {
	const { id: name } = board;
	const described = { ...board, name, status: 'available', description: '', tags: {} } as const;
	const { status } = described;
	return { ...columnsOf(described), agent_id, status, created_at: time, updated_at: time };
}

const lease = fc.record({
	board_type: fc.constantFrom(...types),
	wanted_board_id: fc.option(fc.constantFrom(...ids), { freq: 2 }),
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
