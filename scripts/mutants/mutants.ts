// The mutants: a change that breaks a rule, and the test that must detect it.
import { accounts } from './rules/accounts.ts';
import { agents } from './rules/agents.ts';
import { boards } from './rules/boards.ts';
import { credits } from './rules/credits.ts';
import { isolation } from './rules/isolation.ts';
import { keys } from './rules/keys.ts';
import { leases } from './rules/leases.ts';
import { limits } from './rules/limits.ts';
import { requests } from './rules/requests.ts';

export interface Mutant {
	rule: string;
	/** The file, from the root of the repository. */
	file: string;
	/** Text that the file contains once. */
	from: string;
	to: string;
	/** The test file, below core or service. */
	test: string;
}

export const mutants: readonly Mutant[] = [
	...requests,
	...limits,
	...keys,
	...accounts,
	...boards,
	...leases,
	...credits,
	...agents,
	...isolation,
];
