// The error for a caller who has used up a limit.
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';

/** Every limit is for so long. */
export const windowSeconds = 60;

/** With the seconds to wait. */
export function tooMany(
	{ keyPrefix, points }: Pick<RateLimiterAbstract, 'keyPrefix' | 'points'>,
	seconds: number,
) {
	return new ApiError('rate_limited', `Too many requests; try again in ${seconds} s.`, {
		headers: {
			'retry-after': String(seconds),
			'ratelimit-policy': `"${keyPrefix}";q=${points};w=${windowSeconds}`,
			ratelimit: `"${keyPrefix}";r=0;t=${seconds}`,
		},
	});
}
