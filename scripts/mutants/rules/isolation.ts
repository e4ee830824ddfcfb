// One account or lease cannot reach what belongs to another.
import type { Mutant } from '../mutants.ts';

export const isolation: readonly Mutant[] = [
	{
		rule: 'isolation: an account lists only its own leases',
		file: 'core/src/leases/store.ts',
		from: ".$if(of === 'own', (query) => query.where('account_id', '=', accountId))",
		to: '',
		test: 'test/leases/isolation.test.ts',
	},
	{
		rule: 'isolation: a lease that is not shared does not exist for others',
		file: 'core/src/leases/sharing/access.ts',
		from: 'if (access === null) throw noSuchLease();',
		to: '',
		test: 'test/leases/isolation.test.ts',
	},
	{
		rule: 'isolation: what is for the holder is refused to colleagues',
		file: 'core/src/leases/sharing/access.ts',
		from: 'leaseAccess.indexOf(access) >= leaseAccess.indexOf(needed)',
		to: 'access !== undefined',
		test: 'test/leases/sharing.test.ts',
	},
	{
		rule: 'isolation: an action belongs to the lease of its address',
		file: 'core/src/leases/actions/store.ts',
		from: "db.selectFrom('lease_actions').where('lease_id', '=', leaseId);",
		to: "db.selectFrom('lease_actions');",
		test: 'test/leases/link.test.ts',
	},
	{
		rule: 'isolation: a colleague does not read the addresses of others',
		file: 'core/src/leases/actions/store.ts',
		from: 'seesColleagues ? action : { ...action, requested_by: null }',
		to: 'action',
		test: 'test/leases/sharing.test.ts',
	},
	{
		rule: 'isolation: a key for boards and leases shares none',
		file: 'src/contract/operations/operation.ts',
		from: '(?!leases\\/[^/]+\\/shares)',
		to: '',
		test: 'test/leases/sharing.test.ts',
	},
	{
		rule: 'isolation: an action uses only files of its own lease',
		file: 'core/src/leases/files/store.ts',
		from: "\t\t.where('id', '=', fileId)\n\t\t.where('lease_id', '=', leaseId)\n",
		to: "\t\t.where('id', '=', fileId)\n",
		test: 'test/leases/link.test.ts',
	},
];
