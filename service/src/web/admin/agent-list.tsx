// The agents that drive boards: whether each is connected, and its boards.
import type { agent } from 'board-access-contract';
import type * as z from 'zod/mini';
import { EmptyState } from '../elements/empty-state.tsx';
import { Icon } from '../elements/icon.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';

type Agent = z.output<typeof agent>;

interface AgentListProps {
	agents: Agent[];
	/** The names of boards by their identifiers. */
	boardNames: Map<string, string>;
}

export function AgentList({ agents, boardNames }: AgentListProps) {
	return (
		<>
			<PageHead
				title="Agents"
				lead="An agent runs next to the hardware, connects to this service and drives its boards."
			>
				<a class="button primary" href="/admin/agents/new">
					<Icon name="plus" />
					Add agent
				</a>
			</PageHead>
			{agents.length === 0 ? (
				<EmptyState icon="board" title="There are no agents yet">
					<p>Boards without an agent can be reserved, but nothing prepares or connects them.</p>
				</EmptyState>
			) : (
				<div data-live-filter data-live-seconds="10">
					<div data-live-results>
						<AgentTable agents={agents} boardNames={boardNames} />
					</div>
				</div>
			)}
		</>
	);
}

function AgentTable({ agents, boardNames }: AgentListProps) {
	return (
		<Table
			caption="Agents"
			rows={agents}
			columns={[
				{
					label: 'Agent',
					cell: ({ id, name }) => (
						<a href={`/admin/agents/${id}`}>
							<strong>
								<Name>{name}</Name>
							</strong>
						</a>
					),
					class: 'main-cell',
				},
				{ label: 'Connection', cell: Connection, class: 'bare' },
				{
					label: 'Boards',
					cell: ({ board_ids }) => <BoardLinks ids={board_ids} names={boardNames} />,
				},
				{ label: 'Masked token', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
				{
					label: 'Last seen',
					cell: ({ last_seen_at }) =>
						last_seen_at ? <Time at={last_seen_at} /> : <span class="muted">Never</span>,
				},
				{
					label: 'State',
					cell: ({ id, name }) => (
						<a
							class="button danger"
							href={`/admin/agents/${id}/revoke`}
							aria-label={`Revoke ${name}`}
							data-confirm
						>
							Revoke
						</a>
					),
					class: 'end',
				},
			]}
		/>
	);
}

function Connection({ online }: Agent) {
	return online ? (
		<span class="badge status-available">Online</span>
	) : (
		<span class="badge status-offline">Offline</span>
	);
}

const shown = 5;

function BoardLinks({ ids, names }: { ids: string[]; names: Map<string, string> }) {
	if (ids.length === 0) return <span class="muted">None</span>;
	return (
		<>
			{ids.slice(0, shown).map((id, index) => (
				<>
					{index > 0 && ', '}
					<a href={`/boards/${encodeURIComponent(id)}`}>
						<Name>{names.get(id) ?? id}</Name>
					</a>
				</>
			))}
			{ids.length > shown && ` and ${ids.length - shown} more`}
		</>
	);
}
