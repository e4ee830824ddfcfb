// Limits the long requests of an account at a time: waits for a change, streams of a console, and
// uploads. Each holds a connection and memory. Each replica counts its own.
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';

export function createWaits({ leasesPerAccount }: Pick<Settings, 'leasesPerAccount'>) {
	// Enough for the jobs of a pipeline that wait for boards, plus a wait for each lease and its action.
	const most = 100 + 2 * leasesPerAccount;
	return limited(
		createPlaces(most, `${most} requests of this account are already waiting for a change`),
	);
}

const uploadsPerLease = 2;

/** Receives an upload, unless too many for the lease are in progress: each is held in memory. */
export function createUploads() {
	return limited(
		createPlaces(
			uploadsPerLease,
			`${uploadsPerLease} uploads for this lease are already in progress`,
			10,
		),
	);
}

/** Runs the work of a holder if there is a place for it. */
function limited(begin: (holder: string) => () => void) {
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
	return createPlaces(most, `${most} console streams of this account are already open`);
}

function createPlaces(most: number, taken: string, seconds = 1) {
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
