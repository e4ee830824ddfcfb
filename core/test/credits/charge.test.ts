import { expect, test } from 'vitest';
import { costBetween, costUntil } from '../../src/credits/charge.ts';
import type { LeaseRow } from '../../src/database/schema.ts';

const at = (time: string) => `2026-01-01T${time}.000Z`;

/** A lease of 10 minutes at 3 credits, active from 10:00 to 10:10. */
const lease = (changes: Partial<LeaseRow> = {}) =>
	({
		credits_per_minute: 3,
		created_at: at('09:00:00'),
		charged_from: at('10:00:00'),
		expires_at: at('10:10:00'),
		...changes,
		// The cost depends on these columns only.
	}) as LeaseRow;

test.each([
	['10:00:00', 0],
	['10:00:01', 3],
	['10:01:00', 3],
	['10:01:01', 6],
	['10:09:59', 30],
	['10:10:00', 30],
	['10:59:00', 30],
	['09:59:00', 0],
])('a lease that was used until %s costs %i credits', (time, credits) => {
	expect(costUntil(lease(), at(time))).toBe(credits);
});

test('a lease that was never active costs nothing', () => {
	expect(costUntil(lease({ charged_from: null }), at('10:09:00'))).toBe(0);
	expect(costUntil(lease({ expires_at: null }), at('10:09:00'))).toBe(0);
});

test('time that runs backwards costs nothing', () => {
	expect(costBetween(3, at('10:10:00'), at('10:00:00'))).toBe(0);
});
