// The desired state of an agent's boards, for its work stream.
import type { agentBoard } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { ofLease, pinsOfLease } from '../agents/boards.ts';
import { clockOf } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { channelsOf } from '../leases/channels/store.ts';
import { readConsole } from '../leases/console/store.ts';
import { drivenOf } from '../leases/pins/store.ts';

type BoardState = z.output<typeof agentBoard>;

export interface Sent {
	/** The last state of each board as text, for comparison. */
	boards: Map<string, string>;
	/** The offset up to which the input of each lease was sent. */
	input: Map<string, number>;
	/** How many bytes of input still fit into the line. */
	room: number;
}

export type Scope = readonly string[] | 'all';

/** Bytes of input in a line; the last read may exceed it. */
const maxInput = 16 * 1024;

interface Connection {
	agentId: string;
	connectionId: string;
	sent: Sent;
	scope: Scope;
}

/** The boards whose state differs from what was sent. Undefined if the connection was replaced or the agent revoked. */
export async function changedBoards(
	db: Db,
	connection: Connection,
): Promise<BoardState[] | undefined> {
	const { sent } = connection;
	sent.room = maxInput;
	const rows = await boardRows(db, connection);
	if (rows.length === 0) return undefined;
	const leaseIds = rows.flatMap(({ lease_id }) => lease_id ?? []);
	const actions = Map.groupBy(await openActions(db, leaseIds), ({ lease_id }) => lease_id);
	const open = leaseIds.length === 0 ? [] : await channelsOf(db, leaseIds);
	const channelsOfLeases = Map.groupBy(open, ({ lease_id }) => lease_id);
	const changed: BoardState[] = [];
	for (const row of rows) {
		const { board_id, fence, lease_id: id } = row;
		if (board_id === null || fence === null) continue;
		const own = id === null ? [] : (actions.get(id) ?? []);
		const channels = id === null ? [] : (channelsOfLeases.get(id) ?? []);
		const lease = id === null ? null : await leaseState(db, { ...row, id, own, channels, sent });
		const { expires_at, sync, watched_until, driven, rest_reason } = row;
		const known = [rest_reason, fence, expires_at, id, sync, own, watched_until, driven, channels];
		const state = JSON.stringify(known);
		if (!lease?.input && sent.boards.get(board_id) === state) continue;
		sent.boards.set(board_id, state);
		changed.push({ board_id, fence, lease, ...(rest_reason && { resting: rest_reason }) });
	}
	return changed;
}

/** Returns one row without a board if the connection is current, but no board is in the scope. */
function boardRows(db: Db, { agentId, connectionId, scope }: Connection) {
	return db
		.selectFrom('agents')
		.leftJoin('boards', (join) => {
			const own = join.onRef('boards.agent_id', '=', 'agents.id');
			return scope === 'all' ? own : own.on('boards.id', 'in', scope);
		})
		.select(['boards.id as board_id', 'boards.fence', 'boards.lease_id', 'boards.rest_reason'])
		.select((eb) => [
			ofLease(eb).select(endOfLease.as('end')).as('expires_at'),
			ofLease(eb).select('console_sync').as('sync'),
			ofLease(eb).select('input_end').as('input_end'),
			ofLease(eb).select('input_taken').as('input_taken'),
			pinsOfLease(eb).select('watched_until').as('watched_until'),
			pinsOfLease(eb).select('driven').as('driven'),
		])
		.where('agents.id', '=', agentId)
		.where('agents.connection_id', '=', connectionId)
		.orderBy('boards.id')
		.execute();
}

/** When the agent has to release the board: during a preparation, that has its own limit. */
const endOfLease = sql<string | null>`case
	when leases.status = 'preparing' then coalesce(preparation_expires_at, expires_at)
	else expires_at end`;

async function openActions(db: Db, leaseIds: readonly string[]) {
	if (leaseIds.length === 0) return [];
	return db
		.selectFrom('lease_actions')
		.select(['lease_id', 'id', 'phase', 'action', 'file_id', 'flash_offset'])
		.where('lease_id', 'in', leaseIds)
		.where('status', 'in', ['queued', 'running'])
		.orderBy('position')
		.execute();
}

type LeaseOnBoard = Awaited<ReturnType<typeof boardRows>>[number] & {
	id: string;
	own: Awaited<ReturnType<typeof openActions>>;
	channels: Awaited<ReturnType<typeof channelsOf>>;
	sent: Sent;
};

async function leaseState(db: Db, row: LeaseOnBoard) {
	const { id, expires_at, sync, own, channels, watched_until, driven } = row;
	// What comes after a file that is still being downloaded has to wait for it.
	const waiting = own.findIndex(({ action, file_id }) => action === 'flash' && file_id === null);
	const ready = waiting < 0 ? own : own.slice(0, waiting);
	return {
		id,
		remaining_ms: timeLeft(db, expires_at),
		actions: ready.map(({ lease_id: _leaseId, phase: _phase, ...action }) => action),
		input: await newInput(db, row),
		sync: sync ?? 0,
		output_from: own.findLast(({ phase }) => phase === 'prepare')?.id,
		...(watched_until && { watched_ms: timeLeft(db, watched_until) }),
		...(driven && { driven_pins: drivenOf(driven) }),
		channels: channels.map(({ lease_id: _leaseId, port, ...channel }) => ({
			...channel,
			...(port !== null && { port }),
		})),
	};
}

function timeLeft(db: Db, until: string | null) {
	return until === null ? 0 : Math.max(0, Math.floor(Date.parse(until) - clockOf(db).now()));
}

/** The input that was not sent yet, or null. */
async function newInput(db: Db, { id: leaseId, input_end, input_taken, sent }: LeaseOnBoard) {
	const end = input_end ?? 0;
	const from = sent.input.get(leaseId) ?? input_taken ?? 0;
	if (end <= from || sent.room <= 0) return null;
	const chunk = await readConsole(db, { leaseId, direction: 'input', from });
	// The agent learns from the offset that a crash of the database has lost input.
	const offset = chunk.data.length === 0 ? end : chunk.offset;
	sent.input.set(leaseId, offset + chunk.data.length);
	sent.room -= chunk.data.length;
	return { offset, data: chunk.data.toString('base64') };
}
