// The invariants of granting hold for random events in any order.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { setMaintenance } from '../../src/boards/commands.ts';
import { importBoards } from '../../src/boards/import.ts';
import { grantCredits } from '../../src/credits/store.ts';
import { timeIn } from '../../src/database/clock.ts';
import { endLease } from '../../src/leases/ending/release.ts';
import { plan } from '../../src/leases/rules/order.ts';
import { keepLeases } from '../../src/leases/scheduler.ts';
import { addAgent, unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, type LabAccount, openLab, requestOf } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

const boards = unoBoards(4).map((board, index) => ({ ...board, credits_per_minute: index % 2 }));
const boardIds = boards.map(({ id }) => id ?? '');
/** The last two boards have an agent. */
const drivenIds = boardIds.slice(2);
const startCredits = 20;
const maxLeases = 4;

const account = fc.nat(2);
const lease = fc.nat(30);
const board = fc.nat(3);
const operation = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			name: fc.constant('create' as const),
			account,
			board: fc.option(board, { freq: 3 }),
			/** How many boards of the type are leased with it. */
			peers: fc.constantFrom(0, 0, 0, 1, 2),
			wait: fc.constantFrom(0, 60, 600),
			minutes: fc.constantFrom(1, 5, 20),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ name: fc.constant('release' as const), lease }) },
	{
		weight: 2,
		arbitrary: fc.record({
			name: fc.constant('renew' as const),
			lease,
			minutes: fc.constantFrom(1, 5, 90),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ name: fc.constant('end' as const), lease }) },
	{ weight: 2, arbitrary: fc.record({ name: fc.constant('tick' as const) }) },
	{ weight: 1, arbitrary: fc.record({ name: fc.constant('lose agent' as const) }) },
	{ weight: 1, arbitrary: fc.record({ name: fc.constant('connect agent' as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			name: fc.constant('maintenance' as const),
			board,
			on: fc.boolean(),
		}),
	},
);

type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** What happens at the same time, and the minutes that pass before. */
const step = fc.record({
	minutes: fc.constantFrom(0, 0, 0, 0.2, 1, 6),
	together: fc.array(operation, { minLength: 1, maxLength: 3 }),
});

describe.each(databaseKinds)('leases on %s', (kind) => {
	let lab: Lab;
	let users: LabAccount[];
	let admin: LabAccount;
	let agent: Awaited<ReturnType<typeof addAgent>>;
	let created: { id: string; user: LabAccount }[];
	beforeAll(async () => {
		lab = await openLab(kind, { boards, leasesPerAccount: maxLeases, leaseMaxMinutes: 60 });
		users = [await lab.account(), await lab.account(), await lab.account()];
		admin = await lab.account({ admin: true });
		agent = await addAgent(lab.query, drivenIds);
	});
	afterAll(async () => {
		vi.useRealTimers();
		await lab.close();
	});

	/** Resets everything except the fences, which only grow. */
	async function reset() {
		created = [];
		await lab.query.deleteFrom('leases').execute();
		await lab.query.deleteFrom('credit_entries').execute();
		const empty = { balance: 0, held_credits: 0 };
		await lab.query.updateTable('accounts').set(empty).execute();
		for (const { id } of users) {
			await grantCredits(lab.core, { account_id: id, amount: startCredits });
		}
		await lab.query.updateTable('boards').set({ lease_id: null, lease_account_id: null }).execute();
		await importBoards(lab.query, boards);
		await connectAgent();
	}

	async function connectAgent() {
		await agent.contact();
		await agent.connect();
	}

	async function perform(step: Operation) {
		switch (step.name) {
			case 'create': {
				const user = users[step.account];
				const wanted =
					step.board === null ? { board_type: 'uno' } : { board_id: boardIds[step.board] };
				const terms = { minutes: step.minutes, wait_seconds: step.wait };
				const peers = Array.from({ length: step.peers }, () => ({ board_type: 'uno' }));
				const boards = Object.fromEntries([wanted, ...peers].map((one, at) => [`r${at}`, one]));
				const requested =
					peers.length > 0
						? user?.group({ boards, ...terms })
						: user?.lease({ ...wanted, ...terms });
				const done = await requested?.catch(unlessRejected);
				const leases = done && 'leases' in done ? done.leases : [done ?? []].flat();
				if (user) created.push(...leases.map(({ id }) => ({ id, user })));
				return;
			}
			case 'release': {
				const found = created[step.lease];
				await found?.user.release(found.id);
				return;
			}
			case 'renew': {
				const found = created[step.lease];
				await found?.user.renew(found.id, step.minutes).catch(unlessRejected);
				return;
			}
			case 'end': {
				const found = created[step.lease];
				const request = requestOf({ ids: { id: found?.id ?? '' } });
				if (found) await endLease(lab.core, admin.caller, request);
				return;
			}
			case 'tick':
				return keepLeases(lab.core);
			case 'lose agent':
				await lab.query.updateTable('agents').set({ last_seen_at: null }).execute();
				return keepLeases(lab.core);
			case 'connect agent':
				return connectAgent();
			case 'maintenance': {
				const ids = { id: boardIds[step.board] ?? '' };
				const request = requestOf({ ids, input: { on: step.on, reason: '' } });
				await setMaintenance(lab.core, admin.caller, request);
			}
		}
	}

	/** All of it at one moment: leases are granted and end in the background. */
	function readAll() {
		const transaction = lab.query.transaction();
		const snapshot =
			kind === 'SQLite' ? transaction : transaction.setIsolationLevel('repeatable read');
		return snapshot.execute(async (db) => ({
			leases: await db.selectFrom('leases').selectAll().execute(),
			rows: await db.selectFrom('boards').selectAll().orderBy('id').execute(),
			accounts: await db.selectFrom('accounts').selectAll().execute(),
			entries: await db.selectFrom('credit_entries').selectAll().execute(),
		}));
	}

	/** The invariants after every step, before the scheduler runs. */
	async function expectPrinciples(seen: Seen) {
		const { leases, rows, accounts, entries } = await readAll();
		const held = leases.filter(({ status }) => status === 'active' || status === 'preparing');
		for (const row of rows) {
			const own = held.filter(({ board_id }) => board_id === row.id);
			expect(own.length).toBeLessThanOrEqual(1);
			expect(row.lease_id).toBe(own[0]?.id ?? null);
			expect(own[0]?.fence ?? row.fence).toBe(row.fence);
			expect(row.fence).toBeGreaterThanOrEqual(seen.fences.get(row.id) ?? 0);
			seen.fences.set(row.id, row.fence);
			expect(row.status).toBe(statusOf(row));
		}
		const grants = leases.filter(({ board_id }) => board_id !== null);
		const fences = new Set(grants.map(({ board_id, fence }) => `${board_id} ${fence}`));
		expect(fences.size).toBe(grants.length);
		for (const lease of leases) {
			const before = seen.ended.get(lease.id);
			if (before) expect(lease).toEqual(before);
			if (lease.status === 'ended') seen.ended.set(lease.id, lease);
			const group = leases.filter(
				({ group_id }) => group_id !== null && group_id === lease.group_id,
			);
			for (const one of group) {
				expect(one).toMatchObject({ status: lease.status, expires_at: lease.expires_at });
			}
			// Its place in the order never changes.
			expect(lease.rank).toBe(seen.ranks.get(lease.id) ?? lease.rank);
			seen.ranks.set(lease.id, lease.rank);
		}
		for (const { id } of users) {
			const own = leases.filter(({ account_id }) => account_id === id);
			const live = own.filter(({ status }) => status !== 'ended');
			expect(live.length).toBeLessThanOrEqual(maxLeases);
			const balance = entries
				.filter(({ account_id }) => account_id === id)
				.reduce((sum, { amount }) => sum + amount, 0);
			const holds = live.reduce((sum, { held_credits }) => sum + held_credits, 0);
			expect(balance - holds).toBeGreaterThanOrEqual(0);
			const booked = own.reduce((sum, { credits }) => sum + (credits ?? 0), 0);
			expect(balance).toBe(startCredits - booked);
			const sums = { balance, held_credits: holds };
			expect(accounts.find((account) => account.id === id)).toMatchObject(sums);
		}
		return { leases, rows };
	}

	/** The invariants after the scheduler has run: nothing is overdue, and no request waits while its boards are free. */
	async function expectSettled(seen: Seen) {
		await keepLeases(lab.core);
		const { leases, rows } = await expectPrinciples(seen);
		for (const lease of leases.filter(({ status }) => status !== 'ended')) {
			if (lease.expires_at !== null) expect(lease.expires_at > timeIn(lab.query)).toBe(true);
			if (lease.status !== 'queued') continue;
			expect(lease.queued_until > timeIn(lab.query)).toBe(true);
		}
		const idle = rows.filter(({ status }) => status === 'available');
		const waiting = leases.filter(({ status }) => status === 'queued');
		const inService = rows.filter(({ status }) => status === 'available' || status === 'in_use');
		expect(plan(waiting, idle, inService).granted).toEqual([]);
	}

	test('keep their invariants in any order of events', {
		timeout: 120_000,
		tags: 'generated',
	}, async () => {
		await fc.assert(
			fc
				.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
					const seen: Seen = { ranks: new Map(), fences: new Map(), ended: new Map() };
					for (const { minutes, together } of steps) {
						passMinutes(minutes);
						await Promise.all(together.map(perform));
						await expectPrinciples(seen);
					}
					await expectSettled(seen);
					// Left alone, everything ends by itself.
					passMinutes(61);
					await expectSettled(seen);
					const [live] = await lab.query
						.selectFrom('leases')
						.select('id')
						.where('status', '<>', 'ended')
						.execute();
					expect(live).toBeUndefined();
				})
				.beforeEach(reset),
			{ numRuns: runs(kind === 'SQLite' ? 20 : 5) },
		);
	});
});

/** Ignores an error that a request may have, for the state that it finds. */
function unlessRejected(error: { code?: string }) {
	const allowed = ['credits_exhausted', 'no_board_available', 'lease_limit', 'lease_ended'];
	if (!allowed.includes(error.code ?? '')) throw error;
	return undefined;
}

interface Seen {
	ranks: Map<string, number>;
	fences: Map<string, number>;
	ended: Map<string, unknown>;
}

function statusOf(row: {
	base_status: string;
	agent_id: string | null;
	capabilities: string | null;
	lease_id: string | null;
}) {
	if (row.base_status === 'maintenance') return 'maintenance';
	if (row.agent_id !== null && row.capabilities === null) return 'offline';
	return row.lease_id === null ? 'available' : 'in_use';
}
