// A service with boards and accounts that lease them by its API, on either database.
import { type BoardInput, importBoards } from '../../../core/src/boards/import.ts';
import { grantCredits } from '../../../core/src/credits/store.ts';
import type { Database } from '../../../core/src/database/database.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import {
	type DatabaseKind,
	migratedDatabase,
	newAccount,
	openSynchronized,
} from '../../../core/test/support/databases.ts';
import { assemble, type ServiceOptions } from '../../src/service.ts';

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
	const { query, clock } = service.services.database;
	// Of the process, so that tests can pass time. Time that was passed is no pause.
	const processTime = { now: () => Date.now(), wall: () => Date.now() };
	if (!ownClock) Object.assign(clock, { ...processTime, awakeFor: () => 1e9 });
	if (boards.length > 0) await importBoards(query, boards);
	return {
		...service,
		query,
		location,
		account: async ({ credits = 0, admin = false } = {}) => {
			const { id } = await newAccount(service.services.database, admin ? 'admin' : 'user');
			if (credits > 0) await grantCredits(service.services, { account_id: id, amount: credits });
			const { key } = await issueKey(query, { accountId: id });
			return { id, key, ...requests(service.app, key) };
		},
		requests: (key: string) => requests(service.app, key),
	};
}

export type Lab = Awaited<ReturnType<typeof openLab>>;
export type LabAccount = Awaited<ReturnType<Lab['account']>>;

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
