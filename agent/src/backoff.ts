/** Milliseconds to wait after a failed attempt (0 is the first), with random jitter. */
export function backoff(attempt: number, { shortest = 200, longest = 5_000 } = {}): number {
	const wait = Math.min(longest, shortest * 2 ** Math.min(attempt, 10));
	return wait * (0.5 + Math.random() / 2);
}
