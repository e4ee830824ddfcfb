// Boards: pages in memory, and who sees which lease.
import type { Mutant } from '../mutants.ts';

export const boards: readonly Mutant[] = [
	{
		rule: 'boards: a page in memory has the revision that its request has read',
		file: 'service/src/http/revision-cache.ts',
		from: 'kept.revision !== revision || ',
		to: '',
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'boards: a transaction that changes a board waits for no other one',
		file: 'core/src/database/migrations/0001-schema.ts',
		from: ' for update skip locked',
		to: ' for update',
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'boards: the revision is read again for every request',
		file: 'service/src/routes/boards.ts',
		from: 'revision: boardsRevision ?? (await readBoardsRevision(database.query)),',
		to: 'revision: boardsRevision === undefined ? await readBoardsRevision(database.query) : 1,',
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'boards: a 304 is for the page that the caller has',
		file: 'service/src/http/tagged-page.ts',
		from: "return header.includes(tag) || header.trim() === '*';",
		to: "return tag !== '' && header !== '';",
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'boards: two accounts with a lease on a page do not share it',
		file: 'service/src/routes/boards.ts',
		from: 'kept.get(`${accountId} ${name}`',
		to: 'kept.get(`own ${name}`',
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'boards: a page shows only leases of its account',
		file: 'core/src/boards/store.ts',
		from: 'case when lease_account_id = ${accountId} then lease_id end',
		to: 'case when lease_account_id = ${accountId} or true then lease_id end',
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'boards: a board shows only a lease of its account',
		file: 'core/src/boards/store.ts',
		from: 'case when lease_account_id = ${accountId} then lease_id end',
		to: 'case when lease_account_id = ${accountId} or true then lease_id end',
		test: 'test/leases/isolation.test.ts',
	},
	{
		rule: 'pages: a change of base images changes the pages of boards',
		file: 'core/src/database/migrations/0001-schema.ts',
		from: "const inRevision = ['boards', 'base_images'];",
		to: "const inRevision = ['boards'];",
		test: 'test/boards/pages.test.ts',
	},
	{
		rule: 'firmware: a board that only loses its power keeps earlier firmware',
		file: 'core/src/boards/store.ts',
		from: `'%"between_leases":"erase"%'`,
		to: `'%"between_leases":"%'`,
		test: 'test/boards/pages.test.ts',
	},
];
