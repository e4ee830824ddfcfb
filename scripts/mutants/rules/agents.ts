// Agents: which boards their tokens reach.
import type { Mutant } from '../mutants.ts';

export const agents: readonly Mutant[] = [
	{
		rule: 'agents: an agent drives only its own boards',
		file: 'agents/boards.ts',
		from: "\t\t])\n\t\t.where('agent_id', '=', agentId)\n",
		to: '\t\t])\n',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent gets only the work of its own boards',
		file: 'agents/board-states.ts',
		from: "join.onRef('boards.agent_id', '=', 'agents.id')",
		to: 'join.onTrue()',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent reports, writes and reads only for its own boards',
		file: 'leases/fence.ts',
		from: "\t\t\teb('boards.agent_id', '=', agentId),\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: an agent writes only to consoles of its own boards',
		file: 'leases/console/store.ts',
		from: 'where agent_id = $5 and fence = $3',
		to: 'where $5 <> id and fence = $3',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: a report on an ended lease is rejected',
		file: 'leases/fence.ts',
		from: "\t\t\teb('leases.status', 'in', ['preparing', 'active']),\n",
		to: '',
		test: 'test/agents/agents.test.ts',
	},
	{
		rule: 'agents: the first of two keeps its boards',
		file: 'agents/connection.ts',
		from: 'if (connection_id === null || silent) return;',
		to: 'return;',
		test: 'test/leases/faults.test.ts',
	},
	{
		rule: 'agents: one that is closed can be started again at once',
		file: 'agents/link-routes.ts',
		from: 'if (closed) closeConnection',
		to: 'if (!closed) closeConnection',
		test: 'test/leases/faults.test.ts',
	},
	{
		rule: 'agents: one that restarts often has to rest',
		file: 'agents/connection.ts',
		from: '>= mostQuickBoots',
		to: '>= 99',
		test: 'test/leases/faults.test.ts',
	},
	{
		rule: 'agents: the service goes above the fences that they know',
		file: 'agents/connection.ts',
		from: 'set({ fence: known.fence })',
		to: 'set({ fence })',
		test: 'test/leases/faults.test.ts',
	},
	{
		rule: 'agents: a lease that its agent released is not kept',
		file: 'agents/connection.ts',
		from: 'if (known.released) return',
		to: 'if (!known) return',
		test: 'test/leases/faults.test.ts',
	},
	{
		rule: 'agents: silence counts from when one was due',
		file: 'leases/ending/lost.ts',
		from: 'const limitFactor = 1_500;',
		to: 'const limitFactor = 1_000;',
		test: 'test/leases/faults.test.ts',
	},
	{
		rule: 'agents: a failure of theirs does not count against the board',
		file: 'leases/preparation/outcome.ts',
		from: "step.status === 'failed' && cause === 'agent'",
		to: 'false',
		test: 'test/leases/faults.test.ts',
	},
];
