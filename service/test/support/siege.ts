// Short runs of `npm run siege`, for a file each, so that they run side by side.
import { describe, expect, inject, test } from 'vitest';
import type { DatabaseKind } from '../../../core/test/support/databases.ts';
import { besiege } from '../../../lab/siege/attacks/besiege.ts';
import { fuzzDatabase } from '../../../lab/siege/fuzz.ts';
import { killDatabase } from '../../../lab/siege/kills.ts';

export function describeSiege(kind: DatabaseKind) {
	describe(`the siege on ${kind}`, () => {
		const place = () => ({
			main: inject('main'),
			...(kind === 'PostgreSQL' && { cluster: inject('postgres') }),
		});

		test('1,000 invalid requests over sockets cause no internal error and no trace', async () => {
			const seed = Date.now() % 1e6;
			const result = await fuzzDatabase(place(), { requests: 1_000, seed });
			expect({ seed, problems: result.problems }).toEqual({ seed, problems: [] });
			expect(result.requests).toBe(1_000);
			expect(Object.keys(result.statuses)).toEqual(expect.arrayContaining(['200', '400', '404']));
			expect(result.memory[1] - result.memory[0]).toBeLessThan(300);
		}, 180_000);

		test('after five kills every confirmed change exists exactly once, and the ledger adds up', async () => {
			const { confirmed, problems } = await killDatabase(place(), { kills: 5 });
			expect(problems).toEqual([]);
			expect(confirmed.keys).toBeGreaterThan(0);
			expect(confirmed.leases).toBeGreaterThan(0);
			expect(confirmed.releases).toBeGreaterThan(0);
		}, 180_000);

		test('others do not wait during attacks that stop a service at once if their mend is missing', async () => {
			const measured = await besiege({ ...place(), seconds: 2, only: shortAttacks, times: 60 });
			expect(measured.filter(({ held }) => !held)).toEqual([]);
			expect(measured.map(({ name }) => name)).toEqual(shortAttacks);
		}, 300_000);
	});
}

const shortAttacks = ['exports', 'actions', 'waits', 'differentLists'];
