// Credits: the ledger, and what a lease costs.
import type { Mutant } from '../mutants.ts';

export const credits: readonly Mutant[] = [
	{
		rule: 'credits: entries with the same time have an order',
		file: 'core/src/credits/store.ts',
		from: ".orderBy('created_at', 'desc')\n\t\t.orderBy('id', 'desc')",
		to: ".orderBy('created_at', 'desc')",
		test: 'test/credits/store.test.ts',
	},
	{
		rule: 'credits: a reference of another account is refused',
		file: 'core/src/credits/store.ts',
		from: 'if (account_id !== entry.account_id) {',
		to: 'if (false) {',
		test: 'test/credits/store.test.ts',
	},
	{
		rule: 'credits: a reference with another amount is refused',
		file: 'core/src/credits/store.ts',
		from: 'if (amount !== entry.amount) {',
		to: 'if (false) {',
		test: 'test/credits/store.test.ts',
	},
	{
		rule: 'charge: a started minute counts in full',
		file: 'core/src/credits/charge.ts',
		from: 'Math.ceil(milliseconds / minute)',
		to: 'Math.floor(milliseconds / minute)',
		test: 'test/leases/rules/lifecycle.test.ts',
	},
	{
		rule: 'charge: time after the expiry is not booked',
		file: 'core/src/credits/charge.ts',
		from: 'usedUntil < expires_at ? usedUntil : expires_at',
		to: 'usedUntil',
		test: 'test/credits/charge.test.ts',
	},
	{
		rule: 'charge: a lease that was never active is free',
		file: 'core/src/credits/charge.ts',
		from: '\tif (charged_from === null || expires_at === null) return 0;\n\treturn costBetween(\n\t\tcredits_per_minute,\n\t\tcharged_from,',
		to: "\tif (expires_at === null) return 0;\n\treturn costBetween(\n\t\tcredits_per_minute,\n\t\tcharged_from ?? '2026-01-01T00:00:00.000Z',",
		test: 'test/credits/charge.test.ts',
	},
	{
		rule: 'charge: a lease ends and is booked once',
		file: 'core/src/leases/rules/ending.ts',
		from: "\tif (!lease || lease.status === 'ended') return state;\n\tconst now = nowIn(state);\n\tconst { reason,",
		to: '\tif (!lease) return state;\n\tconst now = nowIn(state);\n\tconst { reason,',
		test: 'test/leases/rules/lifecycle.test.ts',
	},
	{
		rule: 'charge: held credits are not spent twice',
		file: 'core/src/leases/queue/create.ts',
		from: 'const spendable = spendableIn(state);',
		to: 'const spendable = Number.MAX_SAFE_INTEGER;',
		test: 'test/leases/credits.test.ts',
	},
	{
		rule: 'charge: a renewal holds the credits that it may cost',
		file: 'core/src/leases/rules/state.ts',
		from: 'return costBetween(lease.credits_per_minute, charged_from, expires_at);',
		to: 'return lease.held_credits;',
		test: 'test/leases/rules/lifecycle.test.ts',
	},
	{
		rule: 'credits: the form of a top-up belongs to its account',
		file: 'web/src/credits/credits.tsx',
		from: 'sent.account !== account.id || ',
		to: '',
		test: 'test/web/credits.test.ts',
	},
	{
		rule: 'credits: the form of a top-up has a token',
		file: 'web/src/credits/credits.tsx',
		from: '!/^[\\w-]{1,100}$/.test(sent.token)',
		to: 'false',
		test: 'test/web/credits.test.ts',
	},
	{
		rule: 'credits: a top-up is booked once for its token',
		file: 'web/src/credits/credits.tsx',
		from: 'const idempotencyKey = `${account.id} ${sent.token}`;',
		to: 'const idempotencyKey = `${account.id} ${sent.token} ${randomUUID()}`;',
		test: 'test/web/credits.test.ts',
	},
];
