// What only the page of a board shows: what its agent can do, and how long its preparation takes.
import type { Db } from '../database/schema.ts';

/** What only administrators see of a board, and what its agent can do with it. */
export function readManaged(db: Db, id: string) {
	return db
		.selectFrom('boards')
		.leftJoin('agents', 'agents.id', 'agent_id')
		.select(['base_status', 'capabilities', 'agents.name as agent_name'])
		.where('boards.id', '=', id)
		.executeTakeFirstOrThrow();
}

/** How many of the latest leases tell how long a step usually takes. Their actions are kept for a day. */
const leasesCompared = 20;

/** How many milliseconds the steps of a preparation usually take, by the action and its name. */
export async function readUsualTimes(db: Db, boardId: string) {
	const steps = await db
		.selectFrom('lease_actions')
		.select(['lease_id', 'action', 'name', 'created_at', 'ended_at'])
		.where('phase', '=', 'prepare')
		.where('status', '=', 'done')
		.where('lease_id', 'in', ({ selectFrom }) =>
			selectFrom('leases')
				.select('leases.id')
				.where('board_id', '=', boardId)
				.where('leases.ended_at', 'is not', null)
				.orderBy('leases.ended_at', 'desc')
				.limit(leasesCompared),
		)
		.orderBy('lease_id')
		.orderBy('position')
		.execute();
	const times = steps.map(({ ended_at, created_at, lease_id, ...step }, index) => {
		// A step begins when the one before has ended.
		const before = steps[index - 1];
		const began = before?.lease_id === lease_id ? before.ended_at : created_at;
		return { key: historyKey(step), taken: Date.parse(ended_at ?? '') - Date.parse(began ?? '') };
	});
	const groups = Map.groupBy(times, ({ key }) => key);
	return new Map(
		[...groups].map(([key, group]) => [key, medianOf(group.map(({ taken }) => taken))]),
	);
}

export function historyKey({ action, name }: { action: string; name: string | null }) {
	return JSON.stringify([action, name]);
}

/** The middle one of some numbers. */
export function medianOf(numbers: readonly number[]) {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
