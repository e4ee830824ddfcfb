// Limits what takes long: waits for a change, streams, uploads and costly reads. Each holds a connection,
// memory or the event loop. Each replica counts its own.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import { createCounts } from './counts.ts';

/** Returns what takes a place of the holder, or refuses if all are taken, and returns what gives it back. */
export function createPlaces(most: number, taken: string, seconds = 1) {
	const held = new Map<string, number>();
	return (holder: string) => {
		const others = held.get(holder) ?? 0;
		if (others >= most) {
			throw new ApiError('rate_limited', `${taken}; try again in ${seconds} s.`, {
				headers: { 'retry-after': String(seconds) },
			});
		}
		held.set(holder, others + 1);
		return () => {
			const left = (held.get(holder) ?? 1) - 1;
			if (left === 0) held.delete(holder);
			else held.set(holder, left);
		};
	};
}

/** The same around some work. */
export function createTurn(...limit: Parameters<typeof createPlaces>) {
	const begin = createPlaces(...limit);
	return async <Result>(holder: string, work: () => Promise<Result>): Promise<Result> => {
		const end = begin(holder);
		try {
			return await work();
		} finally {
			end();
		}
	};
}

/** A quarter of the time of the thread that reads. */
const millisecondsPerWindow = 15_000;
const mostInLine = 50;

/**
 * Keeps what costs much from being felt by others: an account has one such read at a time, and only so many
 * seconds of them a minute.
 */
export function createCostlyReads(milliseconds = millisecondsPerWindow) {
	const spent = createCounts()('reading', milliseconds);
	const inLine = createTurn(mostInLine, `${mostInLine} such requests of this account are waiting`);
	const last = new Map<string, Promise<unknown>>();
	return <Result>(accountId: string, read: () => Promise<Result>): Promise<Result> =>
		inLine(accountId, async () => {
			const own = Promise.resolve(last.get(accountId)).then(async () => {
				spent.check(accountId);
				const startedAt = performance.now();
				return read().finally(() =>
					spent.add(accountId, Math.round(performance.now() - startedAt)),
				);
			});
			// The next one starts after the requests that others have sent by then, and after this page is written.
			const ended = own.then(nextTurn, nextTurn).then(() => {
				if (last.get(accountId) === ended) last.delete(accountId);
			});
			last.set(accountId, ended);
			return own;
		});
}
