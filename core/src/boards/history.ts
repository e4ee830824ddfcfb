// What only the page of a board shows.
import type { Db } from '../database/schema.ts';

/** What administrators see of a board, and what its agent can do with it. */
export function readManaged(db: Db, id: string) {
	return db
		.selectFrom('boards')
		.leftJoin('agents', 'agents.id', 'agent_id')
		.select(['base_status', 'capabilities', 'agent_id', 'agents.name as agent_name'])
		.where('boards.id', '=', id)
		.executeTakeFirstOrThrow();
}

export function medianOf(numbers: readonly number[]) {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
