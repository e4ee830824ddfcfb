// Agents for administrators: which are online, and how many boards each drives.
import { listAgentDetails } from 'board-access-core';
import { version } from '../../../package.json';
import { type Column, EmptyState, Live, Table } from '../elements/list.tsx';
import { CodeNote, Name, Note, StrongName, Time } from '../elements/text.tsx';
import type { MemberVisit, Pages } from '../pages.tsx';

type Agent = Awaited<ReturnType<typeof listAgentDetails>>[number];

export function agentAdminPages({ admins }: Pages) {
	admins.get('/admin/agents', showAgents);
}

const columns: Column<Agent>[] = [
	{ label: 'Agent', cell: AgentName, class: 'main-cell' },
	{ label: 'Connection', cell: Connection, class: 'bare' },
	{ label: 'Version', cell: Version },
	{ label: 'Boards', cell: ({ boards }) => boards ?? 0, class: 'end' },
	{ label: 'Masked token', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
	{ label: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
];

async function showAgents({ services: { database } }: MemberVisit) {
	const agents = await listAgentDetails(database.query);
	const lead = [
		'An agent runs next to the hardware, connects to this service and drives its boards. ',
		<code>board-access agents</code>,
		' creates, changes and revokes agents, and replaces their tokens.',
	];
	const main =
		agents.length === 0 ? (
			<EmptyState icon="board" title="There are no agents yet">
				<p>Boards without an agent can be leased, but nothing prepares or connects them.</p>
			</EmptyState>
		) : (
			<Live>
				<Table caption="Agents" rows={agents} columns={columns} />
			</Live>
		);
	return { title: 'Agents', lead, main };
}

function AgentName({ id, name, host }: Agent) {
	return (
		<>
			<StrongName text={name} />
			<Note text={host} />
			<CodeNote text={id} />
		</>
	);
}

function Connection({ connection_id }: Agent) {
	const isOnline = connection_id !== null;
	const status = isOnline ? 'available' : 'offline';
	return <span class={`badge status-${status}`}>{isOnline ? 'Online' : 'Offline'}</span>;
}

function Version({ version: own, started_at }: Agent) {
	if (own === null) return <span class="muted">Not reported</span>;
	const name = <Name>{own}</Name>;
	// Compared number by number, as in 0.9.0 and 0.10.0.
	const isOlder = own.localeCompare(version, 'en', { numeric: true }) < 0;
	return (
		<>
			{isOlder ? <strong>{name}, older</strong> : name}
			{started_at && (
				<p class="muted small">
					started <Time at={started_at} />
				</p>
			)}
		</>
	);
}
