// Keeps what costs much from being felt by others: an account has one such read at a time, and only so
// many seconds of them a minute. Counted by each replica for itself.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooMany, windowSeconds } from './too-many.ts';

const mostWaiting = 50;
/** A quarter of the time of the thread that reads. */
const millisecondsPerWindow = 15_000;

interface Turns {
	waiting: number;
	last: Promise<void>;
}

export function createCostlyReads(milliseconds = millisecondsPerWindow) {
	const turns = new Map<string, Turns>();
	const spent = new RateLimiterMemory({
		keyPrefix: 'reading',
		points: milliseconds,
		duration: windowSeconds,
	});

	const refuseWhenSpent = async (accountId: string) => {
		const known = await spent.get(accountId);
		if (known && known.consumedPoints > milliseconds)
			throw tooMany(spent, Math.max(1, Math.ceil(known.msBeforeNext / 1000)));
	};

	/** Runs the read when it is the account's turn. */
	return async <Result>(accountId: string, read: () => Promise<Result>): Promise<Result> => {
		const own = turns.get(accountId) ?? { waiting: 0, last: Promise.resolve() };
		if (own.waiting >= mostWaiting) throw tooMany(spent, 1);
		turns.set(accountId, own);
		own.waiting += 1;
		const before = own.last;
		const { promise, resolve: end } = Promise.withResolvers<void>();
		own.last = promise;
		await before;
		const startedAt = performance.now();
		try {
			await refuseWhenSpent(accountId);
			return await read();
		} finally {
			// Over the limit it rejects, and the next read is refused.
			await spent.penalty(accountId, Math.round(performance.now() - startedAt));
			own.waiting -= 1;
			if (own.waiting === 0) turns.delete(accountId);
			// The next one starts after the requests that others have sent by then, and after this page is written.
			setImmediate(end);
		}
	};
}
