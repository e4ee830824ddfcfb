// What the overview reads, for the page and for its files.
import {
	clockOf,
	countCauses,
	countFailedLeases,
	countStates,
	countTypes,
	hourNow,
	listFleet,
	listQueue,
	listTrouble,
	type Period,
	readUse,
} from 'board-access-core';
import { readLine } from '../../form.ts';
import type { MemberVisit } from '../../pages.tsx';
import { causesOf } from './tables.tsx';

/** The rows of a table on the page; its file has all. */
export const mostRows = 8;
const day = 24 * 60 * 60 * 1000;

/** The period that the address names: 7 or 30 days until today, or one day. */
export function readPeriod({ c, parts }: MemberVisit) {
	const today = Math.floor(hourNow(parts.database.query) / 24);
	const date = readLine(c, 'day');
	const first = Date.parse(`${date}T00:00:00Z`) / day;
	if (first <= today) return { period: { first, days: 1 }, kept: { day: date }, label: date };
	const days = readLine(c, 'days') === '30' ? 30 : 7;
	const kept = { days: days === 7 ? undefined : String(days) };
	return { period: { first: today - days + 1, days }, kept, label: `${days} days` };
}

/** One after the other, on the connection for long reads. */
export async function readView({ parts: { database } }: MemberVisit, period: Period) {
	const db = database.reader;
	const counts = await countStates(db);
	const fleet = await listFleet(db);
	const boards = Map.groupBy(counts, ({ agent_id }) => agent_id);
	const agents = fleet
		.map((agent) => ({
			...agent,
			boards: (boards.get(agent.id) ?? []).reduce((sum, { boards }) => sum + boards, 0),
		}))
		// Those that are away first.
		.sort(
			(one, other) => Number(one.connection_id !== null) - Number(other.connection_id !== null),
		);
	return {
		time: clockOf(database.query).now(),
		counts,
		fleet,
		agents,
		types: await countTypes(db),
		queue: await listQueue(db),
		use: await readUse(db, period),
		causes: causesOf(await countCauses(db, period)),
		trouble: await listTrouble(db, period, mostRows),
		failed: [
			await countFailedLeases(db, { from: 24, until: 0 }),
			await countFailedLeases(db, { from: 48, until: 24 }),
		] as const,
	};
}

export type View = Awaited<ReturnType<typeof readView>>;
