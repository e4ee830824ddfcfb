// A short run of `npm run simulation`.
import { expect, inject, test } from 'vitest';
import { openPostgres, openSqlite } from './simulation/databases.ts';
import { planOf } from './simulation/plan.ts';
import { report } from './simulation/report.ts';
import { simulate } from './simulation/simulate.ts';
import { databaseKinds } from './support/databases.ts';

const plans = planOf({ boards: 1_000, leases: 100, agents: 10, seconds: 1 });
const options = { note: () => {} };

test.each(databaseKinds)(
	'a small service on %s keeps every lease and console byte',
	async (kind) => {
		await using database = await (kind === 'SQLite' ? openSqlite : openPostgres)();
		const plan = plans[kind];
		const simulation = await simulate(database, plan, { ...options, main: inject('main') });
		expect(simulation.losses).toEqual([]);
		expect(simulation.mixes).toHaveLength(plan.replicas);
		for (const { name, count } of simulation.measurements) {
			expect({ name, done: count > 0 }).toEqual({ name, done: true });
		}
		expect(report([simulation], 'vitest', '0')).not.toMatch(/NaN|undefined/);
	},
	300_000,
);
