// The agents that drive boards: the list, the form of one, and the page that shows its token.
import type { agent } from 'board-access-contract';
import type * as z from 'zod/mini';
import type { ApiError } from '../../errors.ts';
import { ButtonLink } from '../elements/button.tsx';
import { CodeBlock } from '../elements/code-block.tsx';
import { Field } from '../elements/field.tsx';
import { PostForm } from '../elements/form.tsx';
import { EmptyState, Live } from '../elements/list.tsx';
import { Name, NameLink, StrongName } from '../elements/name.tsx';
import { OneTime } from '../elements/one-time.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { messageFor } from '../form.ts';

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
				<ButtonLink href="/admin/agents/new" text="Add agent" icon="plus" look="primary" />
			</PageHead>
			{agents.length === 0 ? (
				<EmptyState icon="board" title="There are no agents yet">
					<p>Boards without an agent can be reserved, but nothing prepares or connects them.</p>
				</EmptyState>
			) : (
				<Live seconds={10}>
					<AgentTable agents={agents} boardNames={boardNames} />
				</Live>
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
				{ label: 'Agent', cell: AgentName, class: 'main-cell' },
				{ label: 'Connection', cell: Connection, class: 'bare' },
				{ label: 'Boards', cell: ({ board_ids }) => boardLinks(board_ids, boardNames) },
				{ label: 'Masked token', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
				{ label: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
				{ label: 'State', cell: RevokeLink, class: 'end' },
			]}
		/>
	);
}

function AgentName({ id, name }: Agent) {
	return (
		<a href={`/admin/agents/${id}`}>
			<StrongName text={name} />
		</a>
	);
}

function Connection({ online }: Agent) {
	const status = online ? 'available' : 'offline';
	return <span class={`badge status-${status}`}>{online ? 'Online' : 'Offline'}</span>;
}

const shown = 5;

function boardLinks(ids: string[], names: Map<string, string>) {
	if (ids.length === 0) return <span class="muted">None</span>;
	return (
		<>
			{ids.slice(0, shown).map((id, index) => (
				<>
					{index > 0 && ', '}
					<NameLink href={`/boards/${encodeURIComponent(id)}`} name={names.get(id) ?? id} />
				</>
			))}
			{ids.length > shown && ` and ${ids.length - shown} more`}
		</>
	);
}

function RevokeLink({ id, name }: Agent) {
	const href = `/admin/agents/${id}/revoke`;
	return <ButtonLink href={href} text="Revoke" look="danger" label={`Revoke ${name}`} asks />;
}

export interface AgentValues {
	/** Absent for a new agent. */
	id: string | undefined;
	name: string;
	board_ids: string[];
}

interface AgentFormProps {
	values: AgentValues;
	boards: {
		id: string;
		name: string;
		board_type: string;
		agent_id: string | null;
		agent_name: string | null;
	}[];
	error: ApiError | undefined;
}

export function AgentForm({ values, boards, error }: AgentFormProps) {
	const { id, name } = values;
	return (
		<section class="card medium">
			<h1>{id ? <Name>{name}</Name> : 'Add an agent'}</h1>
			<p class="lead">
				{id
					? 'The agent drives exactly the boards that are chosen here.'
					: 'Its token is shown once, on the next page. Have a safe place ready for it.'}
			</p>
			<PostForm
				action={id ? `/admin/agents/${id}` : '/admin/agents'}
				error={error}
				submit={id ? 'Save' : 'Add agent'}
				cancel="/admin/agents"
			>
				<Field
					name="name"
					label="Name"
					form={{ values: { name }, error }}
					help="Where it runs, for example “raspberry-1”."
					input={{ maxlength: 200 }}
				/>
				<BoardChoice values={values} boards={boards} error={error} />
			</PostForm>
		</section>
	);
}

function BoardChoice({ values, boards, error }: AgentFormProps) {
	const message = messageFor(error, 'board_ids');
	return (
		<fieldset class="field" id="board_ids">
			<legend>Boards</legend>
			{boards.length === 0 && <p class="muted">There are no boards yet.</p>}
			<div class="board-choice">
				{boards.map(({ id, name, board_type, agent_id, agent_name }) => (
					<label class="check">
						<input
							type="checkbox"
							name="boards"
							value={id}
							checked={values.board_ids.includes(id)}
						/>
						<span>
							<Name>{name}</Name> <code dir="auto">{board_type}</code>
							{agent_id && agent_id !== values.id && (
								<span class="muted small"> now driven by {agent_name}</span>
							)}
						</span>
					</label>
				))}
			</div>
			{message && <p class="field-error">{message}</p>}
		</fieldset>
	);
}

interface CreatedAgentProps {
	token: string;
	name: string;
	boards: { id: string; board_type: string }[];
	baseUrl: string;
}

export function CreatedAgent({ token, name, boards, baseUrl }: CreatedAgentProps) {
	return (
		<OneTime title="Your new agent" name={name} noun="token" secret={token} back="/admin/agents">
			<h2>Configuration of the agent</h2>
			<p class="muted">
				On the machine next to the hardware: store the token in a file that only the agent can read,
				and set the driver of each board.
			</p>
			<CodeBlock id="agent-config" what="the configuration" text={configuration(baseUrl, boards)} />
			<h2>Start it</h2>
			<p class="muted">
				The README of <code>board-access-agent</code> describes how to install it.
			</p>
			<CodeBlock id="agent-start" what="the commands" text={commands} />
		</OneTime>
	);
}

const commands = `board-access-agent check --config agent.yaml
board-access-agent start --config agent.yaml`;

// JSON strings are YAML strings.
function configuration(baseUrl: string, boards: CreatedAgentProps['boards']) {
	const entries = boards.map(
		({ id, board_type }) => `  - id: ${JSON.stringify(id)}
    type: ${JSON.stringify(board_type)}
    driver: emulated   # or command, for a real board`,
	);
	return `service: ${JSON.stringify(baseUrl)}
token_file: ./token
boards:${entries.length > 0 ? `\n${entries.join('\n')}` : ' []'}`;
}
