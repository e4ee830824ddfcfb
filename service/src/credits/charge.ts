// What leases cost: whole credits per started minute of `active`. They are held from the start
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

/** The credits to book for an ended lease, never more than were held. */
export function finalCost(lease: LeaseRow, usedUntil: string) {
	if (lease.charged_from === null || lease.expires_at === null) return 0;
	const end = usedUntil < lease.expires_at ? usedUntil : lease.expires_at;
	return Math.min(
		lease.held_credits,
		costBetween(lease.credits_per_minute, lease.charged_from, end),
	);
}
