// Agents in the database. Only the SHA-256 of a token is stored.
import { hash } from 'node:crypto';
import { agent, type agentInput, type agentStatus, type agentUpdate } from 'board-access-contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { record } from '../activity/record.ts';
import { agentChange } from '../announcements.ts';
import { type Claim, once } from '../claims.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { createLookup } from '../database/lookup.ts';
import type { AgentRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { newSecret } from '../keys/secret.ts';
import { assignBoards, boardsOf } from './boards.ts';

/** What is found out for each record; everything else on the wire is a column. */
const { online, board_ids, ...own } = agent.shape;

const columns = [...(Object.keys(own) as (keyof typeof own)[]), 'connection_id'] as const;

export function createAgent(core: Core, input: z.output<typeof agentInput>, claim?: Claim) {
	// A form that has shown the token before gets only the identifier.
	return once<{ id: string } & Partial<CreatedAgent>>(core, claim, {
		create: (db) => issueAgent(db, input),
		replay: async (_db, id) => ({ id }),
	});
}

export type CreatedAgent = Awaited<ReturnType<typeof issueAgent>>;

/** Only this result contains the token. */
export function issueAgent(db: Db, { name, board_ids }: z.output<typeof agentInput>) {
	const { secret: token, stored } = newSecret('agt');
	return inTransaction(db, async (transaction) => {
		const row = await transaction
			.insertInto('agents')
			.values({ ...stored, name, created_at: timeIn(transaction) })
			.returning(columns)
			.executeTakeFirstOrThrow();
		await assignBoards(transaction, row.id, board_ids);
		const details = { name, boards: board_ids };
		await record(transaction, { kind: 'agent.created', subjectId: row.id, details });
		return { ...(await agentRecord(transaction, row)), token };
	});
}

/** Oldest first. */
export async function listAgents(db: Db) {
	const query = db.selectFrom('agents').select(columns).where('revoked_at', 'is', null);
	const rows = await query.orderBy('created_at').orderBy('id').execute();
	return Promise.all(rows.map((row) => agentRecord(db, row)));
}

export async function findAgent(db: Db, id: string) {
	const agents = db.selectFrom('agents').select(columns).where('id', '=', id);
	return agentRecord(db, await agents.executeTakeFirstOrThrow(noSuchAgent));
}

/** A revoked agent cannot be changed. */
export async function updateAgent(
	core: Core,
	id: string,
	{ name, board_ids }: z.output<typeof agentUpdate>,
) {
	const agent = await inTransaction(core.database.query, async (transaction) => {
		const row = await transaction
			.updateTable('agents')
			.set(({ ref, val }) => ({ name: name === undefined ? ref('name') : val(name) }))
			.where('id', '=', id)
			.where('revoked_at', 'is', null)
			.returning(columns)
			.executeTakeFirstOrThrow(noSuchAgent);
		if (board_ids) await assignBoards(transaction, id, board_ids);
		const details = { name: row.name, ...(board_ids && { boards: board_ids }) };
		await record(transaction, { kind: 'agent.changed', subjectId: id, details });
		return agentRecord(transaction, row);
	});
	await core.dispatch({ names: [agentChange(id)] });
	return agent;
}

/** For how long the old token works if the agent does not connect with the new one, in milliseconds. */
const maxOverlap = 24 * 3_600_000;

/** Only this result contains the new token. */
export function rotateAgentToken({ database }: Core, id: string) {
	const { secret: token, stored } = newSecret('agt');
	return inTransaction(database.query, async (db) => {
		const isUnused = sql`former_until > ${timeIn(db)}`;
		const row = await db
			.updateTable('agents')
			.set({
				hash: stored.hash,
				hint: stored.hint,
				// If the agent has not used the present one yet, it still needs the one before.
				former_hash: sql<string>`case when ${isUnused} then former_hash else hash end`,
				former_until: sql<string>`case when ${isUnused} then former_until else ${timeIn(db, maxOverlap)} end`,
			})
			.where('id', '=', id)
			.where('revoked_at', 'is', null)
			.returning(columns)
			.executeTakeFirstOrThrow(noSuchAgent);
		const details = { name: row.name };
		await record(db, { kind: 'agent.token_rotated', subjectId: id, details });
		return { ...(await agentRecord(db, row)), token };
	});
}

export async function findAgentStatus(db: Db, id: string): Promise<z.output<typeof agentStatus>> {
	const agents = db.selectFrom('agents').select(['connection_id', 'host']).where('id', '=', id);
	const { connection_id, host } = await agents.executeTakeFirstOrThrow();
	const boards = db.selectFrom('boards').select(['id', 'name', 'board_type']);
	const own = boards.where('agent_id', '=', id).orderBy('id');
	return { online: connection_id !== null, host, boards: await own.execute() };
}

export async function findAgentByToken(database: Database, token: string) {
	const agent = await byHash(database, hash('sha256', token));
	const isOver = agent?.until && agent.until <= timeIn(database.query);
	return isOver ? undefined : agent;
}

type TokenRow = Pick<AgentRow, 'hash' | 'id'> & { until: string | null };

const byHash = createLookup<TokenRow>(`select hash, id, until from (
	select hash, id, null as until from agents where revoked_at is null
	union all select former_hash, id, former_until from agents where revoked_at is null
) as tokens where hash`);

const noSuchAgent = () => new ApiError('agent_not_found', 'There is no such agent.');

async function agentRecord(
	db: Db,
	{ connection_id, ...row }: Pick<AgentRow, (typeof columns)[number]>,
) {
	const { id, name, hint, ...times } = row;
	const board_ids = await boardsOf(db, id);
	return { id, name, hint, online: connection_id !== null, board_ids, ...times };
}
