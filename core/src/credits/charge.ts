// What leases cost: whole credits per started minute since they are charged. They are held from the start
// and booked once, in the transaction that ends the lease.
import { slewRate } from '../database/clock.ts';
import type { LeaseRow } from '../database/schema.ts';

// The service's time may run faster than real time, which nobody pays for.
const minute = 60_000 * (1 + slewRate);

/** The credits for a lease that is active between two moments. */
export function costBetween(creditsPerMinute: number, start: string, end: string) {
	const milliseconds = Math.max(0, Date.parse(end) - Date.parse(start));
	return creditsPerMinute * Math.ceil(milliseconds / minute);
}

/** The credits to book for a lease that is used until then. */
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
