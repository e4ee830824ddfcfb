// What is over is deleted soon after a start, and every hour.
import { afterEach, expect, test, vi } from 'vitest';
import { startHousekeeping } from '../src/housekeeping.ts';
import { readyDatabase } from './support/databases.ts';
import { coreOn } from './support/visitor.ts';

afterEach(() => {
	vi.useRealTimers();
});

test('a service that runs for minutes only deletes what is over, one that goes on every hour', async () => {
	const database = await readyDatabase('SQLite');
	const add = (hash: string) => {
		const link = { hash, kind: 'reset', email: 'a@example.com', expires_at: '2020' } as const;
		return database.query.insertInto('account_links').values(link).execute();
	};
	const left = () => database.query.selectFrom('account_links').selectAll().execute();
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
	const housekeeping = startHousekeeping(coreOn(database));
	await add('before');
	await vi.advanceTimersByTimeAsync(60_000);
	await expect.poll(left).toEqual([]);
	await add('meanwhile');
	await vi.advanceTimersByTimeAsync(30 * 60_000);
	expect(await left()).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(31 * 60_000);
	await expect.poll(left).toEqual([]);
	await housekeeping.close();
	await database.close();
});
