// Limits the long requests of an account at a time: waits for a change, streams of a console, and
// uploads. Each holds a connection and memory. Each replica counts its own.
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
	return within(begin);
}

const uploadsPerLease = 2;

/** Receives an upload, unless too many for the lease are on their way already: each is held in memory. */
export function createUploads() {
	return within(
		createPlaces(
			uploadsPerLease,
			`${uploadsPerLease} uploads for this lease are already on their way; try again in 1 s.`,
		),
	);
}

function within(begin: (holder: string) => () => void) {
	return async <Result>(holder: string, work: () => Promise<Result>): Promise<Result> => {
		const end = begin(holder);
		try {
			return await work();
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
	return (holder: string) => {
		const others = taken.get(holder) ?? 0;
		if (others >= most) {
			throw new ApiError('rate_limited', message, { headers: { 'retry-after': '1' } });
		}
		taken.set(holder, others + 1);
		return () => {
			const left = (taken.get(holder) ?? 1) - 1;
			if (left === 0) taken.delete(holder);
			else taken.set(holder, left);
		};
	};
}
