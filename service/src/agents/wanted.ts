// The desired state of an agent's boards, as lines of its work stream.
import type { agentBoard } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { clockOf } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { readConsole } from '../leases/console/store.ts';
import { ofLease } from './boards.ts';

type AgentBoard = z.output<typeof agentBoard>;

/** What one connection has been sent so far. */
export interface Sent {
	/** The last state of each board, in a form that is the same when nothing changed. */
	boards: Map<string, string>;
	/** The boards whose last state that was sent had a lease. */
	leased: Set<string>;
	/** Up to which offset the console input of each lease has been sent. */
	input: Map<string, number>;
}

/**
 * Which boards are read: these, all boards of the agent, or those that have a lease or were sent with one.
 * A board without a lease does not change, so the cost depends on the number of leases, not of boards.
 */
export type Wanted = readonly string[] | 'all' | 'leased';

interface Reading {
	agentId: string;
	connectionId: string;
	sent: Sent;
	wanted: Wanted;
}

/**
 * The boards whose desired state differs from what was sent; it is then recorded as sent. Undefined if the
 * connection was replaced by a newer one, or its agent revoked.
 */
export async function changedBoards(db: Db, reading: Reading): Promise<AgentBoard[] | undefined> {
	const { sent } = reading;
	const found = await boardRows(db, reading);
	if (found.length === 0) return undefined;
	const rows = found.filter((row): row is BoardRow => row.board_id !== null);
	const leaseIds = rows.flatMap(({ lease_id }) => lease_id ?? []);
	const actions = Map.groupBy(await openActions(db, leaseIds), ({ lease_id }) => lease_id);
	const time = clockOf(db).now();
	const changed: AgentBoard[] = [];
	for (const row of rows) {
		const own = actions.get(row.lease_id ?? '') ?? [];
		const outputFrom = own.findLast(({ phase }) => phase === 'prepare')?.id;
		const waiting = own.findIndex(({ action, file_id }) => action === 'flash' && file_id === null);
		if (waiting >= 0) own.splice(waiting);
		const input = await newInput(db, row, sent);
		const state = JSON.stringify([row.fence, row.lease_id, row.expires_at, row.sync, own]);
		if (input === null && sent.boards.get(row.board_id) === state) continue;
		sent.boards.set(row.board_id, state);
		if (row.lease_id === null) sent.leased.delete(row.board_id);
		else sent.leased.add(row.board_id);
		changed.push(boardLine(row, { actions: own, input, time, outputFrom }));
	}
	return changed;
}

type FoundRow = Awaited<ReturnType<typeof boardRows>>[number];
type BoardRow = FoundRow & { board_id: string; board_type: string; fence: number };
type ActionRow = Awaited<ReturnType<typeof openActions>>[number];

/** One row without a board, if the connection is the current one and no board is wanted. */
function boardRows(db: Db, { agentId, connectionId, sent, wanted }: Reading) {
	return db
		.selectFrom('agents')
		.leftJoin('boards', (join) => {
			const own = join.onRef('boards.agent_id', '=', 'agents.id');
			if (wanted === 'all') return own;
			if (wanted !== 'leased') return own.on('boards.id', 'in', wanted);
			return own.on(({ eb, or }) =>
				or([
					eb('boards.lease_id', 'is not', null),
					...(sent.leased.size > 0 ? [eb('boards.id', 'in', [...sent.leased])] : []),
				]),
			);
		})
		.select(['boards.id as board_id', 'boards.board_type', 'boards.fence', 'boards.lease_id'])
		.select((eb) => [
			ofLease(eb).select(endOfLease.as('end')).as('expires_at'),
			ofLease(eb).select('console_sync').as('sync'),
			ofLease(eb).select('input_end').as('input_end'),
			ofLease(eb).select('input_taken').as('input_taken'),
		])
		.where('agents.id', '=', agentId)
		.where('agents.connection_id', '=', connectionId)
		.orderBy('boards.id')
		.execute();
}

/** When the lease ends unless something happens: the time of its preparation is not that of its user. */
const endOfLease = sql<string | null>`case
	when leases.status = 'preparing' then coalesce(preparation_expires_at, expires_at)
	else expires_at end`;

/** Oldest first. Those that come after a file that is still being downloaded have to wait for it. */
async function openActions(db: Db, leaseIds: readonly string[]) {
	if (leaseIds.length === 0) return [];
	return db
		.selectFrom('lease_actions')
		.leftJoin('files', 'files.id', 'lease_actions.file_id')
		.select([
			'lease_actions.lease_id',
			'lease_actions.id',
			'lease_actions.phase',
			'lease_actions.action',
			'lease_actions.file_id',
			'files.format as file_format',
			'lease_actions.flash_offset',
		])
		.where('lease_actions.lease_id', 'in', leaseIds)
		.where('lease_actions.status', 'in', ['queued', 'running'])
		.orderBy('lease_actions.position')
		.execute();
}

/** The console input that this connection has not been sent, or null. */
async function newInput(db: Db, { lease_id, input_end, input_taken }: BoardRow, sent: Sent) {
	if (lease_id === null) return null;
	const from = sent.input.get(lease_id) ?? input_taken ?? 0;
	if ((input_end ?? 0) <= from) return null;
	const piece = await readConsole(db, { leaseId: lease_id, direction: 'input', from });
	// A crash of the database loses input; its offsets tell the agent.
	const isLost = piece.data.length === 0;
	const offset = isLost ? (input_end ?? from) : piece.offset;
	sent.input.set(lease_id, isLost ? offset : piece.end);
	return { offset, data: piece.data.toString('base64') };
}

interface LineParts {
	actions: ActionRow[];
	input: { offset: number; data: string } | null;
	time: number;
	outputFrom: string | undefined;
}

function boardLine(
	{ board_id, board_type, fence, lease_id, expires_at, sync }: BoardRow,
	{ actions, input, time, outputFrom }: LineParts,
): AgentBoard {
	if (lease_id === null) return { board_id, board_type, fence, lease: null };
	const left = expires_at === null ? 0 : Date.parse(expires_at) - time;
	return {
		board_id,
		board_type,
		fence,
		lease: {
			id: lease_id,
			remaining_ms: Math.max(0, Math.floor(left)),
			actions: actions.map(({ lease_id: _leaseId, phase: _phase, ...action }) => action),
			input,
			sync: sync ?? 0,
			output_from: outputFrom,
		},
	};
}
