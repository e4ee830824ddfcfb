// Who is woken by a change: by an announcement, or by what the tables say.
import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { createWake } from '../../src/database/wake.ts';
import { emptyDatabase, readyDatabase } from '../support/databases.ts';

afterEach(() => {
	vi.useRealTimers();
});

test('a watch returns the names that were announced since the last call', async () => {
	const { close, ...database } = await readyDatabase('SQLite');
	const wake = createWake({ close, ...database });
	using watch = wake.watch(['one', 'two', 'three']);
	wake.announce('one', 'other');
	wake.announce('three');
	expect([...(await watch.changed())]).toEqual(['one', 'three']);
	expect([...(await watch.changed({ milliseconds: 1 }))]).toEqual([]);
	await close();
});

test('a connection that breaks as it begins to listen is replaced a second later', async () => {
	vi.useFakeTimers();
	let opened = 0;
	const connect = async () => {
		opened += 1;
		const client = new EventEmitter();
		const query = async () => {
			throw new Error('Connection terminated');
		};
		return Object.assign(client, { query, release: () => client.emit('end') });
	};
	// Nothing else of the database is used.
	const wake = createWake({ pool: { connect, query: async () => {} } } as unknown as Database);
	await vi.advanceTimersByTimeAsync(3_500);
	expect(opened).toBe(3);
	await wake.close();
});

test('what has changed without an announcement wakes its watchers once', async () => {
	const { close, ...database } = await readyDatabase('SQLite');
	const wake = createWake({ close, ...database });
	const states = new Map([
		['one', '1'],
		['two', '1'],
	]);
	wake.compare(states);
	using watch = wake.watch(['one', 'two', 'three']);
	const missed = async () => [...(await watch.changed({ milliseconds: 1 }))];
	wake.compare(states);
	expect(await missed()).toEqual([]);
	wake.compare(new Map([...states, ['one', '2'], ['three', '1']]));
	expect(await missed()).toEqual(['one', 'three']);
	wake.compare(states);
	expect(await missed()).toEqual(['one', 'three']);
	await close();
});

test('a change that follows an announcement, and was not announced itself, wakes its watchers', async () => {
	const { close, ...database } = await readyDatabase('SQLite');
	const wake = createWake({ close, ...database });
	using watch = wake.watch(['one']);
	const missed = async () => [...(await watch.changed({ milliseconds: 1 }))];
	wake.announce('one');
	expect(await missed()).toEqual(['one']);
	wake.compare(new Map([['one', '2']]));
	expect(await missed()).toEqual([]);
	wake.compare(new Map([['one', '2']]));
	expect(await missed()).toEqual(['one']);
	await close();
});

/** How many notifications are sent for a change. */
async function sentFor(database: Database, announce: () => void) {
	const query = vi.spyOn(database.pool ?? expect.fail(), 'query');
	announce();
	await vi.advanceTimersByTimeAsync(100);
	const sent = query.mock.calls.filter(([, values]) => String(values).includes('lease'));
	query.mockRestore();
	return sent.length;
}

test('a replica sends notifications only while there are others, or while it cannot know', async () => {
	const location = await emptyDatabase('PostgreSQL');
	const [database, another] = [await openDatabase(location), await openDatabase(location)];
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	const wake = createWake(database);
	const announce = () => wake.announce('lease 1');
	expect(await sentFor(database, announce)).toBe(1);
	const isNotAlone = async () => expect(await sentFor(database, announce)).toBe(1);
	const isAlone = async () => expect(await sentFor(database, announce)).toBe(0);
	const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
	await pass(5_500);
	await vi.waitFor(isAlone, { timeout: 15_000 });
	const other = createWake(another);
	await vi.waitFor(isNotAlone, { timeout: 15_000 });
	await other.close();
	await pass(5_500);
	await vi.waitFor(isAlone, { timeout: 15_000 });
	// After a pause, or while its own connection carries no notifications.
	await database.pool?.query('select pg_sleep(0.05)');
	await pass(100);
	const now = performance.now();
	vi.spyOn(performance, 'now').mockReturnValue(now + 6_000);
	await vi.waitFor(isNotAlone, { timeout: 15_000 });
	vi.mocked(performance.now).mockRestore();
	vi.useRealTimers();
	await wake.close();
	await Promise.all([database.close(), another.close()]);
});

test('a replica whose own connection is cut hears the others again', { tags: 'long' }, async () => {
	const location = await emptyDatabase('PostgreSQL');
	const [database, another] = [await openDatabase(location), await openDatabase(location)];
	const [wake, other] = [createWake(database), createWake(another)];
	using watch = wake.watch(['lease 1']);
	const hears = async () => {
		other.announce('lease 1');
		expect([...(await watch.changed({ milliseconds: 200 }))]).toEqual(['lease 1']);
	};
	await vi.waitFor(hears, { timeout: 15_000 });
	const cut = await another.pool?.query(`select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`);
	expect(cut?.rowCount).toBeGreaterThan(0);
	await vi.waitFor(hears, { timeout: 15_000 });
	await Promise.all([wake.close(), other.close()]);
	await Promise.all([database.close(), another.close()]);
});
