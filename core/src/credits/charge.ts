// The cost of leases: whole credits for each started minute.
import { slewRate } from '../database/clock.ts';
import type { LeaseRow } from '../database/schema.ts';

// The service's time may run slightly faster than real time, and nobody pays for that.
const minute = 60_000 * (1 + slewRate);

export function costBetween(creditsPerMinute: number, start: string, end: string) {
	const milliseconds = Math.max(0, Date.parse(end) - Date.parse(start));
	return creditsPerMinute * Math.ceil(milliseconds / minute);
}

/** The cost of a lease that is used until this time. */
export function costUntil(
	{ credits_per_minute, charged_from, expires_at }: LeaseRow,
	usedUntil: string,
) {
	if (charged_from === null || expires_at === null) return 0;
	return costBetween(
		credits_per_minute,
		charged_from,
		usedUntil < expires_at ? usedUntil : expires_at,
	);
}
