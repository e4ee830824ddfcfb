// A service with boards of one type and accounts that lease them, on either database.
import { randomBytes } from 'node:crypto';
import { type BoardInput, importBoards } from '../../../core/src/boards/import.ts';
import { changeBoards, withIds } from '../../../core/src/boards/save.ts';
import { grantCredits } from '../../../core/src/credits/store.ts';
import { timeIn } from '../../../core/src/database/clock.ts';
import type { Database } from '../../../core/src/database/database.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { inTransaction } from '../../../core/src/database/transactions.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import {
	type DatabaseKind,
	migratedDatabase,
	newAccount,
	openSynchronized,
} from '../../../core/test/support/databases.ts';
import { assemble, type ServiceOptions } from '../../src/service.ts';

/** The names of boards of a type, from `brd_uno_1` on. */
export function unoBoards(count: number, more: Partial<BoardInput> = {}): BoardInput[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `brd_uno_${index + 1}`,
		name: `uno-${index + 1}`,
		board_type: 'uno',
		status: 'available',
		description: '',
		tags: {},
		...more,
	}));
}

export async function openLab(
	kind: DatabaseKind,
	{
		boards = [],
		ownClock = false,
		given,
		...options
	}: ServiceOptions & { boards?: BoardInput[]; ownClock?: boolean; given?: Database } = {},
) {
	const location = options.database ?? (given ? '' : await migratedDatabase(kind));
	const database = given ?? (options.database ? undefined : await openSynchronized(location));
	const generous = { rateLimitPerKey: 1e9, rateLimitPerAccount: 1e9 };
	const service = await assemble(
		{ ...generous, ...options, database: location },
		database && { database },
	);
	const { query, clock } = service.parts.database;
	// Of the process, so that tests can pass time. Time that was passed is no pause.
	const processTime = { now: () => Date.now(), wall: () => Date.now() };
	if (!ownClock) Object.assign(clock, { ...processTime, awakeFor: () => 1e9 });
	if (boards.length > 0) await importBoards(query, boards);
	return {
		...service,
		query,
		location,
		account: async ({ credits = 0, admin = false } = {}) => {
			const { id } = await newAccount(service.parts.database, admin ? 'admin' : 'user');
			if (credits > 0) await grantCredits(service.parts, { account_id: id, amount: credits });
			const { key } = await issueKey(query, { accountId: id });
			return { id, key, ...requests(service.app, key) };
		},
		requests: (key: string) => requests(service.app, key),
	};
}

export type Lab = Awaited<ReturnType<typeof openLab>>;
/** Gives boards the status that follows from rows that a test has written. */
export function refreshBoards(db: Db, ids: readonly string[]) {
	return inTransaction(db, (db) => changeBoards(db, withIds(ids)));
}

export type LabAccount = Awaited<ReturnType<Lab['account']>>;

/** An agent that is connected and drives these boards, as far as the tables say. */
export async function addAgent(
	db: Lab['query'],
	boardIds: string[],
	actions: string[] = [],
	between_leases = 'keep',
) {
	const id = `agt_${randomBytes(12).toString('hex')}`;
	await db
		.insertInto('agents')
		.values({
			id,
			name: 'lab',
			hash: id,
			hint: 'agt_',
			boot_id: 'first',
			connection_id: 'first',
			created_at: timeIn(db),
			last_seen_at: timeIn(db),
			revoked_at: null,
		})
		.execute();
	const connect = async () => {
		await db
			.updateTable('boards')
			.set({
				agent_id: id,
				capabilities: JSON.stringify({ actions, console: false, between_leases }),
			})
			.where('id', 'in', boardIds)
			.execute();
		await refreshBoards(db, boardIds);
	};
	const contact = () =>
		db
			.updateTable('agents')
			.set({ last_seen_at: timeIn(db) })
			.where('id', '=', id)
			.execute();
	await connect();
	return { id, contact, connect };
}

type App = Awaited<ReturnType<typeof assemble>>['app'];

function requests(app: App, key: string) {
	const send = async (
		method: string,
		path: string,
		{ body, headers = {}, signal }: { body?: unknown; headers?: object; signal?: AbortSignal } = {},
	) => {
		const request = new Request(`http://localhost/v1${path}`, {
			method,
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
			...(body !== undefined && { body: JSON.stringify(body) }),
			...(signal && { signal }),
		});
		const response = await app.fetch(request, {});
		const { status } = response;
		return { status, headers: response.headers, body: status === 304 || (await response.json()) };
	};
	return {
		send,
		lease: (input: object, headers = {}) => send('POST', '/leases', { body: input, headers }),
		read: async (id: string, query = '') => (await send('GET', `/leases/${id}${query}`)).body,
		renew: (id: string, minutes: number) =>
			send('POST', `/leases/${id}/renew`, { body: { minutes } }),
		release: (id: string) => send('DELETE', `/leases/${id}`),
		board: async (id: string) => (await send('GET', `/boards/${id}`)).body,
	};
}
