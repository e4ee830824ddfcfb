// Limits how much work runs at the same time.
import { ApiError } from '../errors.ts';

interface Limit {
	/** How much work of each holder runs at the same time. */
	atOnce: number;
	/** How much more may wait; the rest is rejected. */
	mayWait?: number;
	rejection?: () => Error;
}

/** Limits the work of each holder, such as an account. */
export function createLimiter({
	atOnce,
	mayWait = Number.POSITIVE_INFINITY,
	rejection = () => tooBusy('Too many requests are waiting'),
}: Limit) {
	const holders = new Map<string, { running: number; waiting: (() => void)[] }>();

	/** Takes a place, or returns a promise for the next one. */
	const enter = (name: string) => {
		const holder = holders.get(name) ?? { running: 0, waiting: [] };
		if (holder.running >= atOnce && holder.waiting.length >= mayWait) throw rejection();
		holders.set(name, holder);
		if (holder.running >= atOnce) {
			return new Promise<void>((resolve) => holder.waiting.push(resolve));
		}
		holder.running += 1;
		return undefined;
	};

	const leave = (name: string) => {
		const holder = holders.get(name);
		const next = holder?.waiting.shift();
		if (next) next();
		else if (holder && holder.running > 1) holder.running -= 1;
		else holders.delete(name);
	};

	return {
		/** Takes a place and returns a function that frees it. Only for limits without waiting. */
		begin(name: string) {
			enter(name);
			return () => leave(name);
		},
		async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
			const turn = enter(name);
			if (turn) await turn;
			try {
				return await work();
			} finally {
				leave(name);
			}
		},
	};
}

export function tooBusy(taken: string, seconds = 1) {
	return new ApiError('rate_limited', `${taken}; try again in ${seconds} s.`, {
		headers: { 'retry-after': String(seconds) },
	});
}
