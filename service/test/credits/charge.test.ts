import { expect, test } from 'vitest';
import { costBetween, finalCost } from '../../src/credits/charge.ts';
import type { LeaseRow } from '../../src/database/schema.ts';
import { endLease } from '../../src/leases/ending/end.ts';
import { openLab, unoBoards } from '../support/leasing.ts';

const at = (time: string) => `2026-01-01T${time}.000Z`;

/** A lease of 10 minutes at 3 credits, active from 10:00 to 10:10. */
const lease = (changes: Partial<LeaseRow> = {}) =>
	({
		credits_per_minute: 3,
		held_credits: 30,
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
	expect(finalCost(lease({ held_credits: 1_000 }), at(time))).toBe(credits);
});

test('a lease costs no more than was held for it', () => {
	expect(finalCost(lease({ held_credits: 12 }), at('10:09:00'))).toBe(12);
});

test('a lease that was never active costs nothing', () => {
	expect(finalCost(lease({ charged_from: null }), at('10:09:00'))).toBe(0);
	expect(finalCost(lease({ expires_at: null }), at('10:09:00'))).toBe(0);
});

test('time that runs backwards costs nothing', () => {
	expect(costBetween(3, at('10:10:00'), at('10:00:00'))).toBe(0);
});

test('a lease that has ended is not ended again', async () => {
	const lab = await openLab('SQLite', { boards: unoBoards(1) });
	const user = await lab.account();
	const { id } = (await user.lease({ board_type: 'uno', minutes: 5 })).body;
	const first = await endLease(lab.query, id, () => ({ reason: 'released', message: 'First.' }));
	const second = await endLease(lab.query, id, () => ({ reason: 'admin', message: 'Second.' }));
	expect(first).toMatchObject({ status: 'ended', end_reason: 'released' });
	expect({ ...second, awaited: first?.awaited }).toEqual(first);
	await lab.close();
});

test('a lease whose preparation failed costs nothing, even if it was active', async () => {
	const lab = await openLab('SQLite', { boards: unoBoards(1, { credits_per_minute: 3 }) });
	const user = await lab.account({ credits: 100 });
	const created = await user.lease({ board_type: 'uno', minutes: 5 });
	await lab.query
		.updateTable('leases')
		.set({ charged_from: new Date(Date.now() - 90_000).toISOString() })
		.execute();
	const ending = { reason: 'prepare_failed', message: 'A step failed.' } as const;
	const ended = await endLease(lab.query, created.body.id, () => ending);
	expect(ended).toMatchObject({ status: 'ended', credits: 0, held_credits: 0 });
	await lab.close();
});
