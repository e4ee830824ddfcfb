// The connection of an agent, on any replica. Of two agents with one token, the first one is used.
import { randomUUID } from 'node:crypto';
import type { drivenBoard } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { restBoards } from '../boards/status.ts';
import { clockOf, timestamp } from '../database/clock.ts';
import { onPostgres } from '../database/postgres.ts';
import type { Db, LeaseRow } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { loseLeases, loseLeasesOfAgent } from '../leases/ending/lost.ts';
import { type AgentBoard, boardStates, updateCapabilities } from './boards.ts';

type DrivenBoard = z.output<typeof drivenBoard>;
type DrivenBoards = ReadonlyMap<string, DrivenBoard>;

interface Connection {
	agentId: string;
	bootId: string;
	/** What the agent says of itself; an older one does not. */
	program?: {
		version?: string | undefined;
		host?: string | undefined;
		uptimeMs?: number | undefined;
	};
	/** The boards that the agent drives, and what it can do with each. */
	driven: DrivenBoards;
	agentTimeout: number;
}

/** After this many quick starts in a row, an agent has to rest. */
const mostQuickBoots = 2;

/** Replaces the previous connection of the same agent, and returns the leases that it lost. */
export function openConnection(
	db: Db,
	{ agentId, bootId, program = {}, driven, agentTimeout }: Connection,
): Promise<{ connectionId: string; lost: LeaseRow[] }> {
	const connectionId = randomUUID();
	return inTransaction(db, async (db) => {
		const agent = await lockAgent(db, agentId);
		const restarted = agent.boot_id !== bootId;
		const time = clockOf(db).now();
		if (restarted) requireAway(agent, time - agentTimeout * 1000);
		const lost = restarted
			? await loseLeasesOfAgent(db, agentId, 'The agent of the board was restarted.')
			: [];
		const quick_boots = quickBoots(agent, time, agentTimeout);
		await db
			.updateTable('agents')
			.set({
				connection_id: connectionId,
				last_seen_at: timestamp(time),
				version: program.version ?? null,
				host: program.host ?? null,
				started_at: program.uptimeMs === undefined ? null : timestamp(time - program.uptimeMs),
				...(restarted && { boot_id: bootId, booted_at: timestamp(time), quick_boots }),
			})
			.where('id', '=', agentId)
			.execute();
		lost.push(...(await changeDriven(db, { agentId, driven, lastContact: agent.last_seen_at })));
		if (restarted && quick_boots >= mostQuickBoots) {
			const until = timestamp(time + agentTimeout * 1000);
			await restBoards(db, agentId, { until, reason: 'The agent of this board restarts often.' });
		}
		return { connectionId, lost };
	});
}

/** After a connection was closed, the agent can be started again at once. */
export function closeConnection(db: Db, connectionId: string) {
	return db
		.updateTable('agents')
		.set({ connection_id: null })
		.where('connection_id', '=', connectionId)
		.execute();
}

/** Makes a second connection of the same agent wait for the first. */
function lockAgent(db: Db, id: string) {
	return db
		.selectFrom('agents')
		.select(['boot_id', 'booted_at', 'quick_boots', 'connection_id', 'last_seen_at'])
		.where('id', '=', id)
		.where('revoked_at', 'is', null)
		.$if(onPostgres(db), (query) => query.forUpdate())
		.executeTakeFirstOrThrow();
}

type Agent = Awaited<ReturnType<typeof lockAgent>>;

/** Another agent with this token keeps its boards while it is connected. */
function requireAway({ connection_id, last_seen_at }: Agent, silentSince: number) {
	const silent = last_seen_at === null || Date.parse(last_seen_at) <= silentSince;
	if (connection_id === null || silent) return;
	throw new ApiError('agent_connected', 'Another agent is connected with the same token.', {
		hint: 'Stop one of the two agents, or create another agent and give it its own boards.',
		headers: { 'retry-after': '5' },
	});
}

/** How many starts have followed each other quickly, with this one. */
function quickBoots({ booted_at, quick_boots }: Agent, time: number, agentTimeout: number) {
	const isQuick = booted_at !== null && time - Date.parse(booted_at) < 2 * agentTimeout * 1000;
	return isQuick ? quick_boots + 1 : 0;
}

interface Change {
	agentId: string;
	driven: DrivenBoards;
	/** Until when leases that end are paid for. */
	lastContact: string | null;
}

/** Stores what the agent drives, and loses the leases that it does not serve. */
async function changeDriven(db: Db, change: Change): Promise<LeaseRow[]> {
	const { agentId, driven } = change;
	const boards = await boardStates(db, agentId);
	// Leases before boards, in which order all others lock them.
	const lost = await loseUnserved(db, boards, change);
	const lower = boards.flatMap(({ id, fence }) => {
		const known = driven.get(id)?.fence ?? 0;
		return known > fence ? [{ id, fence, known }] : [];
	});
	const raised = lower.length > 0 ? await raiseFences(db, lower) : [];
	// The others were granted in the meantime, and the agent does not serve these leases either.
	if (raised.length < lower.length) return [...lost, ...(await changeDriven(db, change))];
	await updateCapabilities(db, agentId, { boards, driven });
	const isComplete = boards.every(({ id }) => driven.has(id));
	if (isComplete) return lost;
	// Others may have been granted until the boards were offline.
	return [...lost, ...(await loseUnserved(db, await boardStates(db, agentId), change))];
}

function loseUnserved(
	db: Db,
	boards: readonly AgentBoard[],
	{ driven, lastContact }: Change,
): Promise<LeaseRow[]> {
	const unserved = boards.flatMap((board) => {
		const message = whyUnserved(board, driven.get(board.id));
		return message === undefined || board.lease_id === null
			? []
			: { ...board, message, lastContact };
	});
	return loseLeases(db, unserved);
}

/** Returns the boards that still had this fence. */
async function raiseFences(
	db: Db,
	boards: readonly { id: string; fence: number; known: number }[],
) {
	const values = boards.map(
		({ id, fence, known }) => sql`(${id}, cast(${fence} as integer), cast(${known} as integer))`,
	);
	const { rows } = await sql`
		with seen (id, fence, known) as (values ${sql.join(values)})
		update boards set fence = seen.known from seen
		where boards.id = seen.id and boards.fence = seen.fence
		returning boards.id`.execute(db);
	return rows;
}

function whyUnserved(board: AgentBoard, known: DrivenBoard | undefined) {
	if (!known) return 'The agent no longer drives the board.';
	const { fence } = board;
	if (known.fence === undefined || known.fence < fence) return undefined;
	if (known.fence > fence) {
		return 'The service was restored from an older backup: the agent has already served a newer lease.';
	}
	if (known.released) return 'The agent of the board released the lease while it was cut off.';
	return isOlder(board, known.lease)
		? 'The service was restored from a backup that does not know what the lease has done since.'
		: undefined;
}

/** Whether the agent serves another lease under this fence, or knows more of this one than the service. */
function isOlder(board: AgentBoard, known: DrivenBoard['lease']) {
	if (!known) return false;
	const keys = ['output', 'input', 'taken', 'console_change'] as const;
	return known.id !== board.lease_id || keys.some((key) => known[key] > (board[key] ?? 0));
}
