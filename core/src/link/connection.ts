// The connections of agents. Of two agents with the same token, the second is rejected.
import { randomUUID } from 'node:crypto';
import type { agentConnection, drivenBoard } from 'board-access-contract';
import type * as z from 'zod/mini';
import { type AgentBoard, boardStates } from '../agents/boards.ts';
import { agentTimes } from '../agents/times.ts';
import { agentChange } from '../announcements.ts';
import { capabilityText } from '../boards/capabilities.ts';
import { resting } from '../boards/rest.ts';
import { changeBoards, lockBoards, ofAgent, saveBoards } from '../boards/save.ts';
import type { Core } from '../core.ts';
import { clockOf, timestamp } from '../database/clock.ts';
import { locking } from '../database/locks.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { loseLeases } from '../leases/ending/lost.ts';

type DrivenBoard = z.output<typeof drivenBoard>;

interface Connection extends z.output<typeof agentConnection> {
	agentId: string;
	/** The hash of the token that was sent. */
	tokenHash: string;
}

/** After this many quick restarts in a row, the boards of an agent rest. */
const maxQuickBoots = 2;

/**
 * Replaces the previous connection of the agent. First, boards whose leases it does not serve are shut, then these
 * leases are lost, and then the boards are opened again.
 */
export async function openConnection(core: Core, connection: Connection): Promise<string> {
	const { query } = core.database;
	const opening = {
		...connection,
		driven: new Map(Object.entries(connection.boards)),
		connectionId: randomUUID(),
		rest: agentTimes(core.settings).rest,
	};
	try {
		const unserved = await inTransaction(query, async (db) => {
			const started = await storeConnection(db, opening);
			return shutUnserved(db, { ...opening, ...started });
		});
		await loseLeases(core, unserved);
		await inTransaction(query, (db) => openBoards(db, opening));
	} catch (error) {
		// Otherwise, the next attempt of the agent would be rejected as a second one.
		await closeConnection(query, opening.connectionId).catch(() => {});
		throw error;
	}
	await core.dispatch({ names: [agentChange(connection.agentId)], types: 'all' });
	return opening.connectionId;
}

interface Opening extends Connection {
	/** What the agent can do with each of its boards. */
	driven: ReadonlyMap<string, DrivenBoard>;
	connectionId: string;
	rest: number;
}

async function storeConnection(db: Db, { agentId, connectionId, rest, ...sent }: Opening) {
	const { boot_id, version = null, host = null, uptime_ms, tokenHash } = sent;
	const agent = await lockAgent(db, agentId);
	if (!agent) throw new Error('The agent was revoked while it connected');
	const hasRestarted = agent.boot_id !== boot_id;
	const time = clockOf(db).now();
	if (hasRestarted) requireAway(agent, { host, silentSince: time - rest });
	await db
		.updateTable('agents')
		.set({
			connection_id: connectionId,
			last_seen_at: timestamp(time),
			version,
			host,
			started_at: uptime_ms === undefined ? null : timestamp(time - uptime_ms),
			...(tokenHash === agent.hash && { former_hash: null, former_until: null }),
		})
		.where('id', '=', agentId)
		.execute();
	return { hasRestarted, lastContact: agent.last_seen_at };
}

export function closeConnection(db: Db, connectionId: string) {
	return db
		.updateTable('agents')
		.set({ connection_id: null })
		.where('connection_id', '=', connectionId)
		.execute();
}

function lockAgent(db: Db, id: string) {
	return db
		.selectFrom('agents')
		.select([
			'boot_id',
			'booted_at',
			'quick_boots',
			'connection_id',
			'last_seen_at',
			'host',
			'hash',
		])
		.where('id', '=', id)
		.where('revoked_at', 'is', null)
		.$call(locking(db, 'agents'))
		.executeTakeFirst();
}

type Agent = NonNullable<Awaited<ReturnType<typeof lockAgent>>>;

/**
 * Rejects a second agent with the same token. One on another machine also waits while the first may connect again: it
 * has lost its connection, and has not said that it stops.
 */
function requireAway(
	agent: Agent,
	{ host, silentSince }: { host: string | null; silentSince: number },
) {
	const { connection_id, last_seen_at, booted_at } = agent;
	const isSilent = last_seen_at === null || Date.parse(last_seen_at) <= silentSince;
	const isSpare = agent.host !== null && agent.host !== host && booted_at !== null;
	if (isSilent || (connection_id === null && !isSpare)) return;
	throw new ApiError('agent_connected', 'Another agent is connected with the same token.', {
		hint: 'Stop one of the two agents, or create another agent and give it its own boards.',
		headers: { 'retry-after': '5' },
	});
}

/** How many quick restarts there were in a row, with this one. */
function quickBoots({ booted_at, quick_boots }: Agent, time: number, rest: number) {
	const isQuick = booted_at !== null && time - Date.parse(booted_at) < 2 * rest;
	return isQuick ? quick_boots + 1 : 0;
}

type Started = Opening & Awaited<ReturnType<typeof storeConnection>>;

/** Shuts boards that the agent does not serve as the service expects, and returns those whose lease is lost. */
async function shutUnserved(db: Db, { agentId, driven, hasRestarted, lastContact }: Started) {
	// Locked, because a board may just be granted.
	const locked = await lockBoards(db, ofAgent(agentId));
	const states = (await boardStates(db, agentId)).filter(({ lease_id }) => lease_id !== null);
	const reasons = new Map(
		states.map((board) => [
			board.id,
			hasRestarted
				? 'The agent of the board was restarted.'
				: whyUnserved(board, driven.get(board.id)),
		]),
	);
	const boards = await saveBoards(db, locked, (board) => {
		const known = driven.get(board.id);
		// Nothing may be granted under a fence that the agent already knows.
		const isOutdated = !known || (known.fence ?? 0) > board.fence;
		const isShut = isOutdated || reasons.get(board.id) !== undefined;
		return isShut ? { ...board, capabilities: null } : board;
	});
	return boards.flatMap((board) => {
		const message = reasons.get(board.id);
		return message === undefined ? [] : { ...board, message, lastContact };
	});
}

/**
 * Stores what the agent can do with each board, unless the connection was replaced meanwhile. A fence is raised only
 * while the board has no lease.
 */
async function openBoards(db: Db, { agentId, boot_id, driven, connectionId, rest }: Opening) {
	const agent = await lockAgent(db, agentId);
	if (agent?.connection_id !== connectionId) return;
	const time = clockOf(db).now();
	const hasRestarted = agent.boot_id !== boot_id;
	const quick_boots = quickBoots(agent, time, rest);
	// This request was overtaken by the one with which the agent stops.
	const hasStopped = !hasRestarted && agent.booted_at === null;
	if (hasRestarted) {
		const started = { boot_id, booted_at: timestamp(time), quick_boots };
		await db.updateTable('agents').set(started).where('id', '=', agentId).execute();
	}
	const reason = 'The agent of this board restarts often.';
	const isResting = hasRestarted && quick_boots >= maxQuickBoots;
	const rested = isResting && resting(db, { milliseconds: rest, reason });
	await changeBoards(db, ofAgent(agentId), (board) => {
		const known = hasStopped ? undefined : driven.get(board.id);
		if (!known) return { ...board, ...rested, capabilities: null };
		const opened = { ...board, ...rested, capabilities: capabilityText(known) };
		const fence = known.fence ?? 0;
		if (fence <= board.fence) return opened;
		return board.lease_id === null ? { ...opened, fence } : { ...board, ...rested };
	});
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

/** Whether the agent knows another lease with this fence, or more about this lease than the service. */
function isOlder(board: AgentBoard, known: DrivenBoard['lease']) {
	if (!known) return false;
	const keys = ['output', 'input', 'taken', 'console_change'] as const;
	return known.id !== board.lease_id || keys.some((key) => known[key] > (board[key] ?? 0));
}
