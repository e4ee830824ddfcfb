// Agents: which boards their tokens reach.
import type { Mutant } from '../mutants.ts';

export const agents: readonly Mutant[] = [
	{
		rule: 'agents: an agent drives only its own boards',
		file: 'agents/boards.ts',
		from: "'fence', 'lease_id'])\n\t\t.where('agent_id', '=', agentId)\n",
		to: "'fence', 'lease_id'])\n",
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent gets only the work of its own boards',
		file: 'agents/wanted.ts',
		from: "join.onRef('boards.agent_id', '=', 'agents.id')",
		to: 'join.onTrue()',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent reports only actions of its own boards',
		file: 'leases/actions/store.ts',
		from: "\t\t.where('agent_id', '=', agentId)\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent writes only to consoles of its own boards',
		file: 'leases/console/store.ts',
		from: "\t\t\t\t\t.where('agent_id', '=', agentId)\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent reads only files for its own boards',
		file: 'leases/files/store.ts',
		from: "\t\t.where('boards.agent_id', '=', agentId)\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: a report on an ended lease is refused',
		file: 'leases/actions/store.ts',
		from: 'if (!live || lease.board_id === null',
		to: 'if (!lease || lease.board_id === null',
		test: 'test/agents/agents.test.ts',
	},
];
