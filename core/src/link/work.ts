// The work stream of an agent: the desired state of its boards, on connect and on every change.
import { boardsOf } from '../agents/boards.ts';
import { agentTimes } from '../agents/times.ts';
import { agentChange, boardChange, boardOfChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import { changedBoards, type Scope, type Sent } from './board-states.ts';

/** Between two lines. */
const minPause = 250;

/** A line says that the agent was heard, so what is known of that must not be older. */
const maxAge = 4_000;

/**
 * Yields lines until the connection is replaced, or the agent was silent for half of its timeout. Each line lets the
 * agent use its boards for some seconds more, and only its requests show that it is alive.
 */
export async function* workLines(
	{ database, wake, contacts, settings }: Core,
	{ agentId, connectionId }: { agentId: string; connectionId: string },
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const times = agentTimes(settings);
	const sent: Sent = { boards: new Map(), input: new Map(), room: 0 };
	const boardIds = await boardsOf(database.query, agentId);
	const openedAt = performance.now();
	using watch = wake.watch([agentChange(agentId), ...boardIds.map(boardChange)]);
	let scope: Scope = 'all';
	let lastLine = Number.NEGATIVE_INFINITY;
	while (!signal.aborted) {
		const reading = { agentId, connectionId, sent, scope };
		const boards = scope.length > 0 ? await changedBoards(database.query, reading) : [];
		const { silence, age } = contacts.silence(connectionId, openedAt);
		if (!boards || silence > times.reconnect) return;
		// The first line says that there are no boards, if there are none.
		const isNews = boards.length > 0 || lastLine < 0;
		const isDue = performance.now() - lastLine >= times.pause && age < maxAge;
		if (isNews || isDue) {
			const wanted = silence > times.ask ? { contact: true } : {};
			yield Buffer.from(
				isNews || wanted.contact ? `${JSON.stringify({ boards, ...wanted })}\n` : '\n',
			);
			lastLine = performance.now();
		}
		// Long input is sent in several lines.
		if (boards.some(({ lease }) => lease?.input)) continue;
		const milliseconds = Math.max(minPause, lastLine + times.pause - performance.now());
		const names = await watch.changed({ milliseconds, signal });
		scope = names.has(agentChange(agentId)) ? 'all' : [...names].map(boardOfChange);
	}
}
