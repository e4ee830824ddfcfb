// One account that sorts, searches and pages through very many boards does not hold up the others.
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { databaseKinds } from '../../../core/test/support/databases.ts';
import { passSeconds } from '../../../core/test/support/time.ts';
import { limitCostlyReads } from '../../src/http/limits/rate-limits.ts';
import { openLab } from '../support/leasing.ts';
import { openPage, signUp } from './support/lab.ts';

const boards = 30_000;

const reads = vi.hoisted(() => ({
	connections: new Set<unknown>(),
	running: 0,
	most: 0,
	finished: 0,
}));

async function watched<Result>(connection: unknown, read: () => Promise<Result>) {
	reads.connections.add(connection);
	reads.running += 1;
	reads.most = Math.max(reads.most, reads.running);
	try {
		return await read();
	} finally {
		reads.running -= 1;
		reads.finished += 1;
	}
}

vi.mock(import('../../../core/src/boards/list.ts'), async (original) => {
	const { searchBoards, countBoardsByStatus, readBoardsPage, ...others } = await original();
	return {
		...others,
		searchBoards: (db, ...rest) => watched(db, () => searchBoards(db, ...rest)),
		countBoardsByStatus: (db, ...rest) => watched(db, () => countBoardsByStatus(db, ...rest)),
		readBoardsPage: (db, filter, request) => {
			const read = () => readBoardsPage(db, filter, request);
			return filter.tag ? watched(db, read) : read();
		},
	};
});

beforeEach(() => {
	Object.assign(reads, { connections: new Set(), running: 0, most: 0, finished: 0 });
});

/** Boards by the thousand, with their words, as an import writes them. */
async function fill(db: Awaited<ReturnType<typeof openLab>>['query']) {
	await sql`insert into boards
		(id, name, board_type, status, description, tags, created_at, updated_at, name_key, words)
		with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(boards)})
		select 'brd_' || i, 'board-' || i, 'type-' || i % 40, 'available', '', '{}', '2026', cast(i % 977 as text),
		'board-' || i, 'board esp32 rack' || i % 100 from numbers`.execute(db);
}

/** The query of a page that is not in memory yet. */
function costlyQuery(index: number) {
	const type = index % 3 ? '' : `type-${index % 40}`;
	const text = index % 4 ? '' : `boa rack${index % 100}`;
	const status = index % 2 ? 'available' : '';
	return `sort=${index % 7 ? 'price' : ''}&status=${status}&board_type=${type}&q=${text}`;
}

const median = (numbers: number[]) =>
	numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

test.each(databaseKinds)(
	'others do not wait for the costly pages of an account, on %s',
	{ tags: 'long' },
	async (kind) => {
		const lab = await openLab(kind);
		await fill(lab.query);
		const service = {
			fetch: async (url: string, init?: RequestInit) => lab.app.fetch(new Request(url, init), {}),
		};
		const cookie = await signUp(service, 'free@example.com');
		const other = await lab.account();
		let opened = 0;
		let attacking = true;
		const statuses = new Set<number>();
		const attack = Array.from({ length: 20 }, async () => {
			while (opened < 120) {
				opened += 1;
				const path = opened % 5 ? `boards?${costlyQuery(opened)}` : `v1/boards?tag=none:${opened}`;
				const response = await service.fetch(`http://localhost/${path}`, { headers: { cookie } });
				await response.text();
				statuses.add(response.status);
			}
		});
		const ended = Promise.all(attack).then(() => {
			attacking = false;
		});
		// Counted in reads of the other account, not in seconds, so that a slow machine changes nothing.
		const readsWaitedFor: number[] = [];
		while (attacking) {
			const before = reads.finished;
			// A request from another machine also waits until the process looks at its sockets.
			// biome-ignore lint/plugin: the process looks at its sockets meanwhile.
			await new Promise((resolve) => setTimeout(resolve, 1));
			expect((await other.send('GET', '/boards?limit=20')).status).toBe(200);
			readsWaitedFor.push(reads.finished - before);
		}
		await ended;
		expect([...statuses].filter((status) => status !== 429)).toEqual([200]);
		expect(reads.finished).toBeGreaterThan(20);
		expect(reads.most).toBe(1);
		expect([...reads.connections]).toEqual([lab.services.database.reader]);
		if (kind === 'PostgreSQL') expect(lab.services.database.reader).not.toBe(lab.query);
		// In line behind twenty of these pages, it would be as many as twenty.
		expect(median(readsWaitedFor)).toBeLessThanOrEqual(2);
		await lab.close();
	},
);

test('an account that has used up its share is rejected, and others are not', async () => {
	const inTurn = limitCostlyReads(50);
	const slow = async () => {
		passSeconds(0.06);
		return 'read';
	};
	expect(await inTurn('greedy', slow)).toBe('read');
	await expect(inTurn('greedy', slow)).rejects.toMatchObject({ code: 'rate_limited' });
	expect(await inTurn('modest', slow)).toBe('read');
});

test('the reads of an account run one after the other, and a limited number wait', async () => {
	const inTurn = limitCostlyReads();
	let running = 0;
	let most = 0;
	const read = async () => {
		running += 1;
		most = Math.max(most, running);
		await new Promise((resolve) => setImmediate(resolve));
		running -= 1;
	};
	const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => inTurn('one', read)));
	expect(most).toBe(1);
	expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
});

test('the page of leases takes no longer with very many boards', async () => {
	const lab = await openLab('SQLite');
	const fetch = async (input: Request | URL | string, init?: RequestInit) =>
		lab.app.fetch(new Request(input, init), {});
	const cookie = await signUp({ fetch }, 'ada@example.com');
	// Of the processor, which other processes do not change.
	const timeOfPages = async () => {
		const began = process.cpuUsage();
		for (let count = 0; count < 40; count += 1) {
			expect((await openPage({ fetch }, '/leases', cookie)).status).toBe(200);
		}
		const { user, system } = process.cpuUsage(began);
		return user + system;
	};
	await timeOfPages(); // so that the code is compiled
	const before = await timeOfPages();
	await fill(lab.query);
	const after = await timeOfPages();
	expect(after / before).toBeLessThan(3);
	await lab.close();
});
