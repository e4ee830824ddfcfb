// How often readers read again when nothing wakes them.
import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { createWake, type Wake } from '../../src/database/wake.ts';
import { readyDatabase } from '../support/databases.ts';

afterEach(() => {
	vi.useRealTimers();
});

/** How many of the readers read again within some seconds although nothing changes. */
async function readings(wake: Wake, { readers, seconds }: { readers: number; seconds: number }) {
	let count = 0;
	const end = new AbortController();
	const { signal } = end;
	const watches = Array.from({ length: readers }, (_, index) => wake.watch([`name ${index}`]));
	const read = async (watch: (typeof watches)[number]) => {
		for (;;) {
			await watch.changed({ signal });
			if (signal.aborted) return;
			count += 1;
		}
	};
	const reading = watches.map(read);
	await vi.advanceTimersByTimeAsync(seconds * 1000);
	end.abort();
	await Promise.all(reading);
	for (const watch of watches) watch.close();
	return count;
}

test('a few readers read once a second, and many readers less often each', async () => {
	const { close, ...database } = await readyDatabase('SQLite');
	const wake = createWake({ close, ...database });
	vi.useFakeTimers();
	expect(await readings(wake, { readers: 10, seconds: 20 })).toBe(200);
	expect(await readings(wake, { readers: 1_000, seconds: 20 })).toBe(4_000);
	expect(wake.watched).toBe(0);
	vi.useRealTimers();
	await close();
});

test('a watch returns the names that were announced since the last call', async () => {
	const { close, ...database } = await readyDatabase('SQLite');
	const wake = createWake({ close, ...database });
	const watch = wake.watch(['one', 'two', 'three']);
	wake.announce('one', 'other');
	wake.announce('three');
	expect([...(await watch.changed())]).toEqual(['one', 'three']);
	expect([...(await watch.changed({ milliseconds: 1 }))]).toEqual([]);
	watch.close();
	await close();
});

test('a connection that breaks as it begins to listen is replaced by one', async () => {
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
	const wake = createWake({ pool: { connect } } as unknown as Database);
	await vi.advanceTimersByTimeAsync(3_500);
	expect(opened).toBe(4);
	await wake.close();
});
