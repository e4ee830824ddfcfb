const shortest = 200;
const longest = 5_000;

/** Milliseconds to wait after a failed attempt (0 is the first), with random jitter. */
export function backoff(attempt: number): number {
	const wait = Math.min(longest, shortest * 2 ** Math.min(attempt, 10));
	return wait * (0.5 + Math.random() / 2);
}
