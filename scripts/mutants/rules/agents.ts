// Agents: which boards their tokens reach.
import type { Mutant } from '../mutants.ts';

export const agents: readonly Mutant[] = [
	{
		rule: 'agents: an agent drives its own boards only',
		file: 'agents/boards.ts',
		from: "\t\t.select(['id', 'capabilities'])\n\t\t.where('agent_id', '=', agentId)\n",
		to: "\t\t.select(['id', 'capabilities'])\n",
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent gets the work of its own boards only',
		file: 'agents/wanted.ts',
		from: "\t\t.where('boards.agent_id', '=', agentId);",
		to: ';',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent reports actions of its own boards only',
		file: 'leases/actions/store.ts',
		from: "\t\t.where('agent_id', '=', agentId)\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent writes to consoles of its own boards only',
		file: 'leases/console/store.ts',
		from: "\t\t\t\t\t.where('agent_id', '=', agentId)\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent reads files for its own boards only',
		file: 'leases/files/store.ts',
		from: "\t\t.where('boards.agent_id', '=', agentId)\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: a report of an earlier lease is refused',
		file: 'leases/actions/store.ts',
		from: '|| lease.fence !== fence) throw',
		to: '|| fence < 0) throw',
		test: 'test/leases/link.test.ts',
	},
	{
		rule: 'agents: a report on an ended lease is refused',
		file: 'leases/actions/store.ts',
		from: 'if (!live || lease.board_id === null',
		to: 'if (!lease || lease.board_id === null',
		test: 'test/leases/link.test.ts',
	},
];
