// The core with boards and accounts that lease them by its commands, on either database.
import { leaseGroupInput, leaseInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { type BoardInput, importBoards } from '../../src/boards/import.ts';
import { readBoard } from '../../src/boards/store.ts';
import type { Claim } from '../../src/claims.ts';
import type { Caller, Core } from '../../src/core.ts';
import { grantCredits } from '../../src/credits/store.ts';
import { type Settings, settingsFrom } from '../../src/env.ts';
import { issueKey } from '../../src/keys/store.ts';
import {
	createLease,
	createLeaseGroup,
	releaseLease,
	renewLease,
} from '../../src/leases/commands.ts';
import { findLease, readableLease } from '../../src/leases/store.ts';
import { createLog } from '../../src/log.ts';
import { openCore } from '../../src/open.ts';
import { type DatabaseKind, migratedDatabase, newAccount, openSynchronized } from './databases.ts';

export type Lab = Awaited<ReturnType<typeof openLab>>;
export type LabAccount = Awaited<ReturnType<Lab['account']>>;

/** Opens the database of the settings, or a new one, with these boards. */
export async function openLab(
	kind: DatabaseKind,
	{ boards = [], ...settings }: Partial<Settings> & { boards?: BoardInput[] } = {},
) {
	const location = settings.database ?? (await migratedDatabase(kind));
	const database = await openSynchronized(location);
	const webUrl = 'http://localhost';
	const all = { ...settingsFrom({}), webUrl, ...settings, database: location };
	const core = await openCore(all, createLog('silent'), { database });
	// The clock is that of the process, so that tests can pass time. Time that was passed is no pause.
	const processTime = { now: () => Date.now(), wall: () => Date.now(), awakeFor: () => 1e9 };
	Object.assign(database.clock, processTime);
	core.start();
	const { query } = database;
	if (boards.length > 0) await importBoards(query, boards);
	return {
		core,
		query,
		location,
		close: core.close,
		account: async ({ credits = 0, admin = false } = {}) => {
			const { id } = await newAccount(database, admin ? 'admin' : 'user');
			if (credits > 0) await grantCredits(core, { account_id: id, amount: credits });
			const { id: keyId, key } = await issueKey(query, { accountId: id });
			return { id, key, ...commandsOf(core, { accountId: id, keyId }) };
		},
		/** Somebody's commands by way of this replica. */
		as: (account: { caller: Caller }) => commandsOf(core, account.caller),
	};
}

const empty = { ids: {}, query: undefined, input: undefined, claim: undefined };

/** The request of a command. */
export function requestOf<Given extends { [Name in keyof typeof empty]?: unknown }>(given: Given) {
	return { ...empty, ...given } as Omit<typeof empty, keyof Given> & Given;
}

/** What somebody does with leases, by a key. */
function commandsOf(core: Core, caller: Caller) {
	const { query } = core.database;
	const { accountId } = caller;
	return {
		caller,
		/** Rejects with the error of the command. */
		lease: async (input: z.input<typeof leaseInput>, claim?: Claim) =>
			(await createLease(core, caller, requestOf({ input: leaseInput.parse(input), claim })))
				.result,
		group: async (input: z.input<typeof leaseGroupInput>, claim?: Claim) =>
			(
				await createLeaseGroup(
					core,
					caller,
					requestOf({ input: leaseGroupInput.parse(input), claim }),
				)
			).result,
		read: async (id: string) => readableLease(query, await findLease(query, { accountId, id })),
		renew: async (id: string, minutes: number) =>
			(await renewLease(core, caller, { id, minutes })).result,
		release: (id: string) => releaseLease(core, caller, requestOf({ ids: { id } })),
		board: (id: string) => readBoard(query, { accountId, id }),
	};
}
