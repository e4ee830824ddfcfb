// The error for a caller who has used up a limit.
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';

/** How long most limits count. */
export const windowSeconds = 60;

/** With the seconds to wait. */
export function tooMany(
	{ keyPrefix, points, duration }: Pick<RateLimiterAbstract, 'keyPrefix' | 'points' | 'duration'>,
	seconds: number,
) {
	return new ApiError('rate_limited', `Too many requests; try again in ${seconds} s.`, {
		headers: {
			'retry-after': String(seconds),
			'ratelimit-policy': `"${keyPrefix}";q=${points};w=${duration}`,
			ratelimit: `"${keyPrefix}";r=0;t=${seconds}`,
		},
	});
}
