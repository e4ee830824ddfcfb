// When a key that a job creates expires.
import { readDuration } from './duration.ts';

/** The time at which a key of this lifetime expires: `2h`, `30d`. */
export function expiryAfter(lifetime: string) {
	return new Date(Date.now() + readDuration(lifetime, '3650d'));
}
