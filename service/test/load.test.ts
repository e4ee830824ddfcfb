// @module-tag long
// A short run of the mixed load of `npm run bench -- leases`.
import { expect, inject, test } from 'vitest';
import { databaseKinds } from '../../core/test/support/databases.ts';
import { load } from '../../lab/bench/leases/leases.ts';

test.each(databaseKinds)(
	'on %s, every lease stays live under a mixed load, and every console byte is stored',
	async (kind) => {
		const isPostgres = kind === 'PostgreSQL';
		const place = { main: inject('main'), ...(isPostgres && { cluster: inject('postgres') }) };
		const size = { boards: 2_000, agents: 10, accounts: 60, leases: 100, seconds: 4 };
		const { rows, lost } = await load(place, { ...size, replicas: isPostgres ? 2 : 1 });
		expect(lost).toEqual([]);
		expect(rows.flat().join()).not.toMatch(/NaN|–|undefined/);
	},
	120_000,
);
