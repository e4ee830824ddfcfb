// The work stream of an agent: the desired state of its boards, on connect and on every change.
import type { Database } from '../database/database.ts';
import type { Wake } from '../database/wake.ts';
import { boardChange } from '../leases/changes.ts';
import { boardsOf } from './boards.ts';
import { agentChange } from './changes.ts';
import { isCurrent } from './connection.ts';
import { changedBoards, type Sent } from './wanted.ts';

const keepAliveMilliseconds = 4_000;

interface Work {
	database: Database;
	wake: Wake;
	agentId: string;
	connectionId: string;
	/** The stream ends after this time. The agent reconnects, which shows that it is alive. */
	milliseconds: number;
}

/** The lines of one connection, until a newer one replaces it. */
export async function* workLines(work: Work, signal: AbortSignal): AsyncGenerator<Uint8Array> {
	const { database, agentId, connectionId } = work;
	const sent: Sent = { boards: new Map(), input: new Map() };
	const end = performance.now() + work.milliseconds;
	const boardIds = await boardsOf(database.query, agentId);
	const watch = work.wake.watch([agentChange(agentId), ...boardIds.map(boardChange)]);
	let lastLine: number | undefined;
	try {
		while (!signal.aborted && performance.now() < end) {
			if (!(await isCurrent(database.query, agentId, connectionId))) return;
			const boards = await changedBoards(database.query, agentId, sent);
			if (boards.length > 0 || lastLine === undefined) yield encode(JSON.stringify({ boards }));
			else if (performance.now() - lastLine >= keepAliveMilliseconds) yield encode('');
			else {
				await watch.changed({ signal });
				continue;
			}
			lastLine = performance.now();
		}
	} finally {
		watch.close();
	}
}

function encode(line: string) {
	return new TextEncoder().encode(`${line}\n`);
}
