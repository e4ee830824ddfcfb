// @module-tag long
// The first days of a site, in virtual time: `npm run year` runs more of them.
import { expect, test } from 'vitest';
import { bundle } from '../bundle.ts';
import { runApart } from './apart.ts';
import { growthOf } from './census.ts';

test('two days of tests and sessions, with an upgrade and a restored backup, break no rule', {
	timeout: 600_000,
}, async () => {
	const site = { boards: 20, users: 4, jobs: 1, replicas: 2, period: 1, activityDays: 1 };
	const { violations, census, verdicts } = await runApart(await bundle(), {
		...site,
		seed: '1',
		days: 2,
	});
	expect(violations).toEqual([]);
	expect(census.map(({ day }) => day)).toEqual([0, 1]);
	expect(verdicts['passes passed']).toBeGreaterThan(0);
});

test('rows that are never deleted grow, and those that are kept for good grow with the leases', () => {
	const census = [0, 1, 2, 3, 4].map((day) => ({
		day,
		leases: 100 * day,
		values: { 'rows of console_chunks': 100 * day, 'rows of leases': 100 * day, timers: 10 },
	}));
	const growing = growthOf(census).filter(({ grows }) => grows);
	expect(growing.map(({ name }) => name)).toEqual(['rows of console_chunks']);
});
