// Limits the long requests of an account at a time: waits for a change, and streams of a
// console. Each holds a connection and memory. Each replica counts its own.
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';

export function createWaits({ leasesPerAccount }: Pick<Settings, 'leasesPerAccount'>) {
	// Enough for the jobs of a pipeline that wait for boards, plus a wait for each lease and its action.
	const most = 100 + 2 * leasesPerAccount;
	const begin = createPlaces(
		most,
		`${most} requests of this account are already waiting for a change; try again in 1 s.`,
	);

	/** Waits, unless too many requests of the account are waiting already. */
	return async <Result>(accountId: string, wait: () => Promise<Result>): Promise<Result> => {
		const end = begin(accountId);
		try {
			return await wait();
		} finally {
			end();
		}
	};
}

/** Starts a console stream, unless the account has too many open; returns a function that ends it. */
export function createConsoleStreams({
	consoleStreamsPerAccount: most,
}: Pick<Settings, 'consoleStreamsPerAccount'>) {
	return createPlaces(
		most,
		`${most} console streams of this account are already open; close one, or try again in 1 s.`,
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
