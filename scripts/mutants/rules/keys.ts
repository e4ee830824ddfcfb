// API keys.
import type { Mutant } from '../mutants.ts';

export const keys: readonly Mutant[] = [
	{
		rule: 'keys: a replaced key keeps its label',
		file: 'keys/store.ts',
		from: 'label: label ?? undefined, ',
		to: '',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: a replaced key keeps its scope',
		file: 'keys/store.ts',
		from: 'undefined, scope, expiresAt',
		to: 'undefined, expiresAt',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: include_revoked lists revoked keys',
		file: 'keys/routes.ts',
		from: "query.include_revoked === 'true'",
		to: 'false',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: revoked keys are not listed without include_revoked',
		file: 'keys/routes.ts',
		from: "query.include_revoked === 'true'",
		to: "query.include_revoked !== 'false'",
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: the limit of live keys counts exactly',
		file: 'keys/store.ts',
		from: 'key.accountId)) < mostKeys',
		to: 'key.accountId)) <= mostKeys',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: an expired key is refused',
		file: 'http/authenticate.ts',
		from: 'if (found.expiresAt && found.expiresAt <= timeIn(database.query)) {',
		to: 'if (false) {',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: a key expires at its time, not after it',
		file: 'http/authenticate.ts',
		from: 'found.expiresAt <= timeIn(database.query)',
		to: 'found.expiresAt < timeIn(database.query)',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: the scope boards allows only boards',
		file: 'http/authenticate.ts',
		from: "if (found.scope === 'boards') requireBoardsPath(c.req.path);",
		to: '',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: only its account lists a key',
		file: 'keys/store.ts',
		from: "selectFrom('api_keys').select(record).where('account_id', '=', accountId);",
		to: "selectFrom('api_keys').select(record);",
		test: 'test/isolation.test.ts',
	},
	{
		rule: 'keys: the limit counts only live keys',
		file: 'keys/store.ts',
		from: "\t\t.where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', timeIn(db))]))\n",
		to: '',
		test: 'test/keys/limits.test.ts',
	},
	{
		rule: 'keys: only its account can revoke a key',
		file: 'keys/store.ts',
		from: "\t\t.set({ revoked_at: timeIn(db) })\n\t\t.where('id', '=', id)\n\t\t.where('account_id', '=', accountId)\n",
		to: "\t\t.set({ revoked_at: timeIn(db) })\n\t\t.where('id', '=', id)\n",
		test: 'test/isolation.test.ts',
	},
];
