// How many requests of an account can go on for long at a time: waits for a change, and streams of a
// console. Each holds a connection and memory. Counted by each replica for itself.
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';

export function createWaits({ leasesPerAccount }: Pick<Settings, 'leasesPerAccount'>) {
	// Enough for the jobs of a pipeline that wait for boards, beside a wait for each lease and its action.
	const most = 100 + 2 * leasesPerAccount;
	const begin = createPlaces(
		most,
		`${most} requests of this account are waiting for a change already; try again in 1 s.`,
	);

	/** Waits, unless too many requests of the account do so already. */
	return async <Result>(accountId: string, wait: () => Promise<Result>): Promise<Result> => {
		const end = begin(accountId);
		try {
			return await wait();
		} finally {
			end();
		}
	};
}

/** Begins a stream of a console, unless too many of the account are open; returns what ends it. */
export function createConsoleStreams({
	consoleStreamsPerAccount: most,
}: Pick<Settings, 'consoleStreamsPerAccount'>) {
	return createPlaces(
		most,
		`${most} console streams of this account are open already; close one, or try again in 1 s.`,
	);
}

function createPlaces(most: number, message: string) {
	const taken = new Map<string, number>();
	return (accountId: string) => {
		const others = taken.get(accountId) ?? 0;
		if (others >= most) {
			throw new ApiError('rate_limited', message, { headers: { 'retry-after': '1' } });
		}
		taken.set(accountId, others + 1);
		return () => {
			const left = (taken.get(accountId) ?? 1) - 1;
			if (left === 0) taken.delete(accountId);
			else taken.set(accountId, left);
		};
	};
}
