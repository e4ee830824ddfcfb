// The work stream of an agent: the desired state of its boards, on connect and on every change.
import type { Database } from '../database/database.ts';
import type { Wake } from '../database/wake.ts';
import { agentChange, boardChange, boardOfChange } from '../leases/changes.ts';
import { changedBoards, type Scope, type Sent } from './board-states.ts';
import { boardsOf } from './boards.ts';

const keepAliveMilliseconds = 4_000;

interface Work {
	database: Database;
	wake: Wake;
	agentId: string;
	connectionId: string;
	/** The stream ends after this time. The agent reconnects, which shows that it is alive. */
	milliseconds: number;
}

export async function* workLines(work: Work, signal: AbortSignal): AsyncGenerator<Uint8Array> {
	const { database, agentId, connectionId } = work;
	const sent: Sent = { boards: new Map(), leased: new Set(), input: new Map(), room: 0 };
	const end = performance.now() + work.milliseconds;
	let watch = await watchBoards(work);
	let scope: Scope = 'all';
	let lastLine = Number.NEGATIVE_INFINITY;
	let lastLook = 0;
	try {
		while (!signal.aborted && performance.now() < end) {
			if (typeof scope === 'string') lastLook = performance.now();
			const boards = await changedBoards(database.query, { agentId, connectionId, sent, scope });
			if (!boards) return;
			// The first line says that there are no boards, if there are none.
			const isNews = boards.length > 0 || lastLine < 0;
			if (isNews || performance.now() - lastLine >= keepAliveMilliseconds) {
				yield Buffer.from(`${isNews ? JSON.stringify({ boards }) : ''}\n`);
				lastLine = performance.now();
			}
			// Long input comes in several lines.
			const typed = boards.filter(({ lease }) => lease?.input);
			if (typed.length > 0) {
				scope = sent.room > 0 ? typed.map(({ board_id }) => board_id) : 'leased';
				continue;
			}
			const milliseconds = lastLine + keepAliveMilliseconds - performance.now();
			scope = scopeOf(await watch.changed({ milliseconds, signal }), agentId);
			if (scope === 'all') {
				watch.close();
				watch = await watchBoards(work);
			} else if (performance.now() - lastLook >= keepAliveMilliseconds) {
				// Boards that are announced all the time do not keep the others from being read.
				scope = 'leased';
			}
		}
	} finally {
		watch.close();
	}
}

async function watchBoards({ database, wake, agentId }: Work) {
	const boardIds = await boardsOf(database.query, agentId);
	return wake.watch([agentChange(agentId), ...boardIds.map(boardChange)]);
}

/** What has to be read again after these names were announced. */
function scopeOf(names: ReadonlySet<string>, agentId: string): Scope {
	if (names.has(agentChange(agentId))) return 'all';
	return names.size === 0 ? 'leased' : [...names].map(boardOfChange);
}
