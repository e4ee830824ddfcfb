// How many requests of an account can wait for a change at a time. Each holds a connection and memory.
// Counted by each replica for itself.
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';

export function createWaits({ leasesPerAccount }: Pick<Settings, 'leasesPerAccount'>) {
	// Enough for the jobs of a pipeline that wait for boards, beside a wait for each lease and its action.
	const most = 100 + 2 * leasesPerAccount;
	const waiting = new Map<string, number>();

	/** Waits, unless too many requests of the account do so already. */
	return async <Result>(accountId: string, wait: () => Promise<Result>): Promise<Result> => {
		const others = waiting.get(accountId) ?? 0;
		if (others >= most) throw tooManyWait(most);
		waiting.set(accountId, others + 1);
		try {
			return await wait();
		} finally {
			const left = (waiting.get(accountId) ?? 1) - 1;
			if (left === 0) waiting.delete(accountId);
			else waiting.set(accountId, left);
		}
	};
}

function tooManyWait(most: number) {
	const message = `${most} requests of this account are waiting for a change already; try again in 1 s.`;
	return new ApiError('rate_limited', message, { headers: { 'retry-after': '1' } });
}
