// Many requests at once, through one replica and through two.
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { importBoards } from '../../src/boards/import.ts';
import { keepLeases } from '../../src/leases/scheduler.ts';
import { listLeases } from '../../src/leases/store.ts';
import { addAgent, refreshBoards, unoBoards } from '../support/boards.ts';
import { type DatabaseKind, databaseKinds } from '../support/databases.ts';
import { type Lab, type LabAccount, openLab } from '../support/lab.ts';

const noBoard = { code: 'no_board_available' };

let labs: Lab[] = [];
afterEach(async () => {
	await Promise.all(labs.map((lab) => lab.close()));
});

const replicas: [DatabaseKind, number][] = [
	...databaseKinds.map((kind): [DatabaseKind, number] => [kind, 1]),
	['PostgreSQL', 2],
];

/** The first replica, and what sends requests of an account through each in turn. */
async function openReplicas(kind: DatabaseKind, count: number, boards: number) {
	const options = { leasesPerAccount: 1000 };
	const first = await openLab(kind, { ...options, boards: unoBoards(boards) });
	labs = [first];
	for (let index = 1; index < count; index += 1) {
		labs.push(await openLab(kind, { ...options, database: first.location }));
	}
	let turn = 0;
	const next = (account: LabAccount) => {
		turn += 1;
		return labs[turn % count]?.as(account) ?? first.as(account);
	};
	return { lab: first, next };
}

/** Refuses a database in which a board has two live leases, or its row and its lease differ. */
async function expectConsistent({ query }: Lab) {
	const held = await query
		.selectFrom('leases')
		.select(['id', 'board_id', 'fence', 'account_id'])
		.where('status', 'in', ['preparing', 'active'])
		.execute();
	expect(new Set(held.map(({ board_id }) => board_id)).size).toBe(held.length);
	const boards = await query.selectFrom('boards').selectAll().execute();
	for (const { id, lease_id, lease_account_id, fence, status } of boards) {
		const lease = held.find(({ board_id }) => board_id === id);
		expect(lease_id).toBe(lease?.id ?? null);
		expect(lease_account_id).toBe(lease?.account_id ?? null);
		expect(status).toBe(lease ? 'in_use' : 'available');
		if (lease) expect(lease.fence).toBe(fence);
	}
	return held;
}

describe.each(replicas)('on %s with %i replicas', (kind, count) => {
	test('forty requests for five boards get five leases', async () => {
		const { lab, next } = await openReplicas(kind, count, 5);
		const users = await Promise.all([1, 2, 3, 4].map(() => lab.account()));
		const outcomes = await Promise.allSettled(
			Array.from({ length: 10 }, () =>
				users.map((user) => next(user).lease({ board_type: 'uno' })),
			).flat(),
		);
		const codes = outcomes.map((one) => one.status === 'rejected' && one.reason.code);
		expect(codes.filter((code) => code === false)).toHaveLength(5);
		expect(codes.filter((code) => code === 'no_board_available')).toHaveLength(35);
		expect(await expectConsistent(lab)).toHaveLength(5);
	});

	test('forty waiting leases pass through five boards, none of which is ever idle', {
		tags: 'long',
	}, async () => {
		const { lab, next } = await openReplicas(kind, count, 5);
		const users = await Promise.all([1, 2, 3, 4].map(() => lab.account()));
		const created = await Promise.all(
			Array.from({ length: 10 }, () =>
				users.map((user) => next(user).lease({ board_type: 'uno', wait_seconds: 600 })),
			).flat(),
		);
		const owners = new Map(created.map(({ id }, index) => [id, users[index % 4]]));
		let ended = 0;
		while (ended < 40) {
			const held = await expectConsistent(lab);
			expect(held).toHaveLength(Math.min(5, 40 - ended));
			await Promise.all(
				held.map(({ id }) => {
					const owner = owners.get(id);
					if (!owner) throw new Error('Every lease has an owner');
					return next(owner).release(id);
				}),
			);
			ended += held.length;
		}
		expect(await expectConsistent(lab)).toEqual([]);
		const [board] = await lab.query
			.selectFrom('boards')
			.select(({ fn }) => fn.sum('fence').as('grants'))
			.execute();
		expect(Number(board?.grants)).toBe(40);
	});

	test('concurrent creations, releases and the scheduler leave no board taken or idle', {
		tags: 'long',
	}, async () => {
		const { lab, next } = await openReplicas(kind, count, 3);
		const users = await Promise.all([1, 2, 3].map(() => lab.account()));
		const work = async (user: LabAccount) => {
			for (let round = 0; round < 10; round += 1) {
				const { id } = await next(user).lease({ board_type: 'uno', wait_seconds: 60 });
				if (round % 3 === 0) await keepLeases((labs[round % count] ?? lab).core);
				await next(user).release(id);
			}
		};
		await Promise.all(users.flatMap((user) => [work(user), work(user), work(user)]));
		expect(await expectConsistent(lab)).toEqual([]);
		const live = await lab.query
			.selectFrom('leases')
			.select('id')
			.where('status', '<>', 'ended')
			.execute();
		expect(live).toEqual([]);
	});
});

test('a board that becomes available goes to the lease that waits, not to a later request', async () => {
	const { lab } = await openReplicas('SQLite', 1, 1);
	const [first, later] = await Promise.all([lab.account(), lab.account()]);
	const [board] = unoBoards(1);
	const setStatus = async (status: 'available' | 'offline') => {
		await lab.query.updateTable('boards').set({ base_status: status }).execute();
		await refreshBoards(lab.query, [board?.id ?? '']);
	};
	await setStatus('offline');
	const waiting = await first.lease({ board_type: 'uno', wait_seconds: 60 });
	expect(waiting).toMatchObject({ status: 'queued' });
	await setStatus('available');
	await expect(later.lease({ board_type: 'uno' })).rejects.toMatchObject(noBoard);
	await keepLeases(lab.core);
	expect(await first.read(waiting.id)).toMatchObject({ status: 'active' });
});

test('three waiting accounts get boards in turn, however many each requested', async () => {
	const { lab } = await openReplicas('SQLite', 1, 1);
	const [holder, greedy, modest, small] = await Promise.all([1, 2, 3, 4].map(() => lab.account()));
	if (!holder || !greedy || !modest || !small) throw new Error('There are four accounts');
	const first = await holder.lease({ board_type: 'uno' });
	const names = new Map<string, string>();
	const wait = async (account: LabAccount, name: string) => {
		const { id } = await account.lease({ board_type: 'uno', wait_seconds: 600 });
		names.set(id, name);
	};
	for (let index = 0; index < 4; index += 1) await wait(greedy, 'greedy');
	for (let index = 0; index < 2; index += 1) await wait(modest, 'modest');
	await wait(small, 'small');
	const positions = await listLeases(lab.query, { accountId: greedy.id, of: 'own' }, { limit: 50 });
	expect(positions.data.map((lease) => lease.queue_position).sort()).toEqual([1, 4, 6, 7]);
	await importBoards(lab.query, unoBoards(8).slice(1));
	await keepLeases(lab.core);
	expect(
		(await lab.query.selectFrom('leases').select('status').execute()).map((row) => row.status),
	).toEqual(Array(8).fill('active'));
	const granted = await lab.query
		.selectFrom('leases')
		.select(['id', 'board_id', 'granted_at'])
		.where('id', '<>', first.id)
		.orderBy('granted_at')
		.orderBy('board_id')
		.execute();
	expect(granted.map(({ id }) => names.get(id))).toEqual([
		'greedy',
		'modest',
		'small',
		'greedy',
		'modest',
		'greedy',
		'greedy',
	]);
});

test('a board that is released goes to the lease that waits, whoever asks at that moment', async () => {
	const { lab, next } = await openReplicas('PostgreSQL', 2, 1);
	const [holder, first, ...others] = await Promise.all(
		Array.from({ length: 14 }, () => lab.account()),
	);
	if (!holder || !first) throw new Error('There are no accounts');
	for (let round = 0; round < 10; round += 1) {
		const held = await holder.lease({ board_type: 'uno' });
		const waiting = await first.lease({ board_type: 'uno', wait_seconds: 60 });
		expect([held.status, waiting.status]).toEqual(['active', 'queued']);
		const asking = others.map((other) => next(other).lease({ board_type: 'uno' }));
		const outcomes = Promise.allSettled(asking);
		await holder.release(held.id);
		for (const outcome of await outcomes) {
			expect(outcome).toMatchObject({ status: 'rejected', reason: noBoard });
		}
		await keepLeases(lab.core);
		expect((await first.release(waiting.id)).board_id).toBe('brd_uno_1');
	}
});

test('a request waits for the last board while another request may still release it', async () => {
	const { lab } = await openReplicas('PostgreSQL', 1, 1);
	const user = await lab.account();
	const { promise: given, resolve: giveBack } = Promise.withResolvers<void>();
	const { promise: taken, resolve: take } = Promise.withResolvers<void>();
	const other = lab.query
		.transaction()
		.execute(async (db) => {
			await db.selectFrom('boards').select('id').forUpdate().execute();
			take();
			await given;
			await db.updateTable('boards').set({ status: 'in_use' }).execute();
			throw new Error('The board is given up');
		})
		.catch(() => {});
	await taken;
	const response = user.lease({ board_type: 'uno' });
	const waiting = sql`select 1 from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`;
	await expect.poll(async () => (await waiting.execute(lab.query)).rows).toHaveLength(1);
	giveBack();
	await other;
	expect(await response).toMatchObject({ board_id: 'brd_uno_1' });
});

test('a request does not wait for the boards that it leaves to those who have waited', async () => {
	const { lab } = await openReplicas('PostgreSQL', 1, 2);
	const [first, later] = await Promise.all([lab.account(), lab.account()]);
	const ids = ['brd_uno_1', 'brd_uno_2'];
	const setStatus = async (status: 'available' | 'offline') => {
		await lab.query.updateTable('boards').set({ base_status: status }).execute();
		await refreshBoards(lab.query, ids);
	};
	await setStatus('offline');
	const waiting = await first.lease({ board_type: 'uno', wait_seconds: 60 });
	await lab.query.transaction().execute(async (db) => {
		await setStatus('available');
		await db.selectFrom('boards').select('id').where('id', '=', 'brd_uno_1').forUpdate().execute();
		expect(await later.lease({ board_type: 'uno' })).toMatchObject({ board_id: 'brd_uno_2' });
	});
	await keepLeases(lab.core);
	expect(await first.read(waiting.id)).toMatchObject({ board_id: 'brd_uno_1' });
});

describe('a board that changes while a lease gets it', () => {
	const changes: [string, object][] = [
		['costs more than the account can pay', { credits_per_minute: 50 }],
		['is of another type', { board_type: 'other' }],
		['is no longer driven by an agent', { agent_id: null }],
	];
	const input = { board_type: 'uno', minutes: 10, requires_agent: true };

	/** Changes the board in a transaction that ends only when the work waits for it. */
	const changeUnder = async (lab: Lab, change: object, work: () => Promise<unknown>) => {
		const isBlocked = sql`select 1 from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`;
		let working: Promise<unknown> | undefined;
		await lab.query.transaction().execute(async (db) => {
			await db.updateTable('boards').set(change).execute();
			working = work();
			working.catch(() => {}); // it may reject before the transaction has ended here
			await expect.poll(async () => (await isBlocked.execute(lab.query)).rows).toHaveLength(1);
		});
		return working;
	};

	const openDriven = async (setting: object = {}) => {
		const { lab } = await openReplicas('PostgreSQL', 1, 1);
		await addAgent(lab.query, ['brd_uno_1']);
		await lab.query
			.updateTable('boards')
			.set({ credits_per_minute: 1, ...setting })
			.execute();
		return { lab, user: await lab.account({ credits: 20 }) };
	};

	test.each(changes)('is not given to a new lease if it %s', async (_, change) => {
		const { lab, user } = await openDriven();
		const created = changeUnder(lab, change, () => user.lease(input));
		await expect(created).rejects.toMatchObject(noBoard);
		expect(await expectConsistent(lab)).toEqual([]);
	});

	test.each(changes)('is not given to a waiting lease if it %s', async (_, change) => {
		const { lab, user } = await openDriven({ status: 'offline' });
		const { id } = await user.lease({ ...input, wait_seconds: 60 });
		await lab.query.updateTable('boards').set({ status: 'available' }).execute();
		await changeUnder(lab, change, () => keepLeases(lab.core));
		expect(await user.read(id)).toMatchObject({ status: 'queued', board_id: null });
		expect(await expectConsistent(lab)).toEqual([]);
	});
});
