// Changes of boards at the same moment, on PostgreSQL: nobody waits for each other, and nothing is taken back.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgent, updateAgent } from '../../src/agents/store.ts';
import { importBoards } from '../../src/boards/import.ts';
import { restBoards } from '../../src/boards/rest.ts';
import { addAgent, unoBoards } from '../support/boards.ts';
import { type Lab, openLab } from '../support/lab.ts';

const boards = unoBoards(100);

let lab: Lab;
beforeEach(async () => {
	lab = await openLab('PostgreSQL', { boards });
});
afterEach(() => lab.close());

/** How many wait for a lock. */
async function countBlocked() {
	const { rows } = await sql`select 1 from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`.execute(lab.query);
	return rows.length;
}

test('imports in another order than that of the boards, while their agent rests', {
	tags: 'long',
}, async () => {
	const ids = boards.map(({ id }) => id ?? '');
	const agent = await addAgent(lab.query, ids);
	const work = [1, 2, 3].flatMap((reason) => [
		importBoards(lab.query, boards.toReversed()),
		restBoards(lab.query, agent.id, { milliseconds: 1_000, reason: `${reason}` }),
	]);
	await Promise.all(work);
	const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
		where datname = current_database()`.execute(lab.query);
	expect(Number(rows[0]?.deadlocks)).toBe(0);
});

test('a board that another agent got meanwhile is not taken from it', async () => {
	const id = 'brd_uno_1';
	const create = async (name: string, board_ids: string[]) =>
		(await createAgent(lab.core, { name, board_ids })).result.id;
	const [one, two] = [await create('one', [id]), await create('two', [])];
	const changes: Promise<unknown>[] = [];
	await lab.query.transaction().execute(async (db) => {
		await db.selectFrom('boards').select('id').where('id', '=', id).forNoKeyUpdate().execute();
		changes.push(updateAgent(lab.core, two, { board_ids: [id] }));
		await expect.poll(countBlocked).toBe(1);
		changes.push(updateAgent(lab.core, one, { board_ids: [] }));
		await expect.poll(countBlocked).toBe(2);
	});
	await Promise.all(changes);
	const board = lab.query.selectFrom('boards').select('agent_id').where('id', '=', id);
	expect(await board.executeTakeFirst()).toEqual({ agent_id: two });
});
