// Limits how much work runs at the same time.

interface Waiting {
	mayWait: number;
	/** The error if as many wait already. */
	refuse: () => Error;
}

/** Returns a function that runs work at once if less than `most` is running, and otherwise in its turn. */
export function createTurns(most: number, limit?: Waiting) {
	let running = 0;
	const waiting: (() => void)[] = [];
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (limit && waiting.length >= limit.mayWait) throw limit.refuse();
		if (running < most) running += 1;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running -= 1;
		}
	};
}
