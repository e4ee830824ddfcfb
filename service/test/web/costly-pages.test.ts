// One account that sorts, searches and pages through very many boards does not hold up the others.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createCostlyReads } from '../../src/http/costly-reads.ts';
import { databaseKinds } from '../support/databases.ts';
import { openLab } from '../support/leasing.ts';
import { signUp } from './support/lab.ts';

const boards = 30_000;

/** Boards by the thousand, with their words, as an import writes them. */
async function fill(db: Awaited<ReturnType<typeof openLab>>['query']) {
	await sql`insert into boards
		(id, name, board_type, status, description, tags, created_at, updated_at, name_key, words)
		with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(boards)})
		select 'brd_' || i, 'board-' || i, 'type-' || i % 40, 'available', '', '{}', '2026', cast(i % 977 as text),
		'board-' || i, 'board esp32 rack' || i % 100 from numbers`.execute(db);
}

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

test.each(databaseKinds)(
	'others do not wait for the costly pages of an account, on %s',
	async (kind) => {
		const lab = await openLab(kind);
		await fill(lab.query);
		const service = {
			fetch: async (url: string, init?: RequestInit) => lab.app.fetch(new Request(url, init), {}),
		};
		const cookie = await signUp(service, 'free@example.com');
		const other = await lab.account();
		let opened = 0;
		const sorts = ['status', '-updated_at', 'board_type', '-name', 'updated_at'];
		const openCostly = async () => {
			opened += 1;
			const sort = sorts[opened % sorts.length];
			const query = `sort=${sort}&page=${opened % 190}&board_type=${opened % 3 ? '' : `type-${opened % 40}`}&q=${opened % 4 ? '' : `boa rack${opened % 100}`}`;
			const response = await service.fetch(`http://localhost/boards?${query}`, {
				headers: { cookie },
			});
			await response.text();
			return response.status;
		};
		const timed = async (work: () => Promise<unknown>) => {
			const startedAt = performance.now();
			await work();
			return performance.now() - startedAt;
		};

		const alone: number[] = [];
		for (let round = 0; round < 15; round += 1) alone.push(await timed(openCostly));

		let busy = true;
		const statuses = new Set<number>();
		const attack = Array.from({ length: 20 }, async () => {
			while (busy) statuses.add(await openCostly());
		});
		const times: number[] = [];
		for (let round = 0; round < 60; round += 1) {
			// A request from another machine also waits until the process looks at its sockets.
			const arrives = async () => {
				await new Promise((resolve) => setTimeout(resolve, 5));
				await other.send('GET', '/boards?limit=20');
			};
			times.push(await timed(arrives));
		}
		busy = false;
		await Promise.all(attack);
		expect([...statuses].filter((status) => status !== 429)).toEqual([200]);
		// In line behind twenty of these pages, it would take as long as twenty.
		expect(median(times)).toBeLessThan(2 * median(alone));
		await lab.close();
	},
);

test('an account that has used up its share is refused, and others are not', async () => {
	const inTurn = createCostlyReads(50);
	const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve('read'), 60));
	expect(await inTurn('greedy', slow)).toBe('read');
	await expect(inTurn('greedy', slow)).rejects.toMatchObject({ code: 'rate_limited' });
	expect(await inTurn('modest', slow)).toBe('read');
});

test('the reads of an account run one after the other, and only so many wait', async () => {
	const inTurn = createCostlyReads();
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
