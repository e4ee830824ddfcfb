// Counts that several replicas share through PostgreSQL.
import postgres from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { createCounts, deleteOldCounts, networksAround } from '../../src/limits/counts.ts';
import { emptyDatabase } from '../support/databases.ts';

let database: Database;
let pool: postgres.Pool;
beforeAll(async () => {
	const location = await emptyDatabase('PostgreSQL');
	database = await openDatabase(location);
	await migrate(database.query);
	pool = new postgres.Pool({ connectionString: location });
});
afterAll(async () => {
	await pool.end();
	await database.close();
});

const replica = (points: number, options = {}) => createCounts(database)('test', points, options);

const letThrough = async (tries: Promise<unknown>[]) =>
	(await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;

const many = (counter: ReturnType<typeof replica>, name: string, count: number) =>
	Array.from({ length: count }, () => counter.count(name));

const written = async (name: string) => {
	const { rows } = await pool.query('select points from rate_limits where key = $1', [
		`test:${name}`,
	]);
	return rows[0]?.points;
};

test('of the first requests on several replicas, as many pass as an exact limit allows', async () => {
	const [one, two] = [replica(10, { exact: true }), replica(10, { exact: true })];
	expect(await letThrough([...many(one, 'first', 8), ...many(two, 'first', 8)])).toBe(10);
});

test('requests do not wait for the database, and are added up soon', async () => {
	const [one, two] = [replica(10), replica(10)];
	const query = vi.spyOn(database.pool ?? pool, 'query');
	await letThrough(many(one, 'later', 6));
	expect(query).not.toHaveBeenCalled();
	query.mockRestore();
	await expect.poll(() => written('later')).toBe(6);
	await two.count('later');
	await expect.poll(() => written('later')).toBe(7);
	await vi.waitFor(async () => expect(await letThrough(many(two, 'later', 10))).toBe(3));
});

test('together, replicas exceed the limit by no more than the requests of a quarter second', async () => {
	const [one, two] = [replica(20), replica(20)];
	await one.count('over');
	await two.count('over');
	// At the same moment on both.
	const passed = await letThrough([...many(one, 'over', 30), ...many(two, 'over', 30)]);
	expect(passed).toBeGreaterThanOrEqual(18);
	expect(passed).toBeLessThanOrEqual(2 * 19);
	await expect.poll(() => written('over')).toBeGreaterThanOrEqual(20);
	expect(await letThrough([...many(one, 'over', 5), ...many(two, 'over', 5)])).toBe(0);
});

test('a rejected caller learns when the window ends, and can retry then', async () => {
	const one = replica(1, { seconds: 1 });
	await one.count('window');
	await expect(one.count('window')).rejects.toMatchObject({
		code: 'rate_limited',
		details: { headers: { 'retry-after': '1' } },
	});
	await vi.waitFor(() => one.count('window'), { timeout: 15_000 });
});

test('an unreachable database fails the request, and not the next one', async () => {
	const one = replica(5, { exact: true });
	const query = vi
		.spyOn(database.pool ?? pool, 'query')
		.mockRejectedValueOnce(new Error('away') as never);
	await expect(one.count('away')).rejects.toThrow('away');
	query.mockRestore();
	await one.count('away');
	expect(await written('away')).toBe(1);
});

test('an exact limit applies across replicas after their first requests, too', async () => {
	const [one, two] = [replica(10, { exact: true }), replica(10, { exact: true })];
	await one.count('exact');
	await two.count('exact');
	expect(await letThrough([...many(one, 'exact', 20), ...many(two, 'exact', 20)])).toBe(8);
});

test('names that are new at the same time are written together', async () => {
	const one = replica(10);
	const query = vi.spyOn(database.pool ?? pool, 'query');
	await Promise.all(Array.from({ length: 100 }, (_, index) => one.count(`new-${index}`)));
	await expect.poll(() => written('new-99')).toBe(1);
	expect(query.mock.calls.length).toBeLessThan(4);
	query.mockRestore();
});

test('expired windows are deleted', async () => {
	await replica(10, { seconds: 1 }).count('old');
	await replica(10).count('new');
	await expect.poll(() => written('new')).toBe(1);
	await expect
		.poll(async () => {
			await deleteOldCounts(database.query);
			return [await written('old'), await written('new')];
		})
		.toEqual([undefined, 1]);
});

test('an IPv6 caller also counts against its larger networks, with higher limits', () => {
	expect(networksAround('2001:0db8:0001:2345::/64')).toEqual([
		{ name: '2001:0db8:0001:2345::/64', room: 1 },
		{ name: '2001:0db8:0001:2300::/56', room: 4 },
		{ name: '2001:0db8:0001::/48', room: 16 },
	]);
	expect(networksAround('192.0.2.1')).toEqual([{ name: '192.0.2.1', room: 1 }]);
});
