// The agents that drive boards: the list, the form of one, and the page that shows its token.

import { agent } from 'board-access-contract';
import * as z from 'zod/mini';
import type { ApiError } from '../../errors.ts';
import { readApi } from '../api.ts';
import { CodeBlock } from '../elements/code.tsx';
import { ButtonLink, Field, FieldError, PostForm } from '../elements/form.tsx';
import { type Column, EmptyState, Live, Table } from '../elements/list.tsx';
import { OneTime } from '../elements/question.tsx';
import { Name, NameLink, PageHead, StrongName, Time } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';

type Agent = z.output<typeof agent>;

export async function listAgents(visit: MemberVisit) {
	const { data } = await readApi(visit, '/admin/agents', z.object({ data: z.array(agent) }));
	const names = new Map((await listBoards(visit)).map(({ id, name }) => [id, name]));
	const main = (
		<>
			<PageHead
				title="Agents"
				lead="An agent runs next to the hardware, connects to this service and drives its boards."
			>
				<ButtonLink href="/admin/agents/new" text="Add agent" icon="plus" look="primary" />
			</PageHead>
			{data.length === 0 ? (
				<EmptyState icon="board" title="There are no agents yet">
					<p>Boards without an agent can be reserved, but nothing prepares or connects them.</p>
				</EmptyState>
			) : (
				<Live seconds={10}>
					<Table caption="Agents" rows={data} columns={agentColumns(names)} />
				</Live>
			)}
		</>
	);
	return { title: 'Agents', main };
}

type BoardChoice = Awaited<ReturnType<typeof listBoards>>;

function listBoards({ parts }: MemberVisit) {
	return parts.database.query
		.selectFrom('boards')
		.leftJoin('agents', 'agents.id', 'boards.agent_id')
		.select(['boards.id', 'boards.name', 'board_type', 'agent_id', 'agents.name as agent_name'])
		.orderBy('boards.name')
		.orderBy('boards.id')
		.execute();
}

/** With the names of boards by their identifiers. */
function agentColumns(names: Map<string, string>): Column<Agent>[] {
	return [
		{ label: 'Agent', cell: AgentName, class: 'main-cell' },
		{ label: 'Connection', cell: Connection, class: 'bare' },
		{ label: 'Boards', cell: ({ board_ids }) => boardLinks(board_ids, names) },
		{ label: 'Masked token', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
		{ label: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
		{ label: 'State', cell: RevokeLink, class: 'end' },
	];
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

export async function showAgentForm(visit: MemberVisit, values: AgentValues, error?: ApiError) {
	const { id, name } = values;
	const main = (
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
				<fieldset class="field" id="board_ids">
					<legend>Boards</legend>
					<BoardChoice values={values} boards={await listBoards(visit)} />
					<FieldError name="board_ids" error={error} />
				</fieldset>
			</PostForm>
		</section>
	);
	return { title: id ? name : 'Add an agent', main };
}

function BoardChoice({ values, boards }: { values: AgentValues; boards: BoardChoice }) {
	if (boards.length === 0) return <p class="muted">There are no boards yet.</p>;
	return (
		<div class="board-choice">
			{boards.map(({ id, name, board_type, agent_id, agent_name }) => (
				<label class="check">
					<input type="checkbox" name="boards" value={id} checked={values.board_ids.includes(id)} />
					<span>
						<Name>{name}</Name> <code dir="auto">{board_type}</code>
						{agent_id && agent_id !== values.id && (
							<span class="muted small"> now driven by {agent_name}</span>
						)}
					</span>
				</label>
			))}
		</div>
	);
}

/** Shows the token of a new agent. */
export async function showToken(visit: MemberVisit, name: string, created: CreatedAgent) {
	const { baseUrl } = visit.parts.settings;
	const boards = (await listBoards(visit)).filter(({ agent_id }) => agent_id === created.id);
	const main = (
		<OneTime
			title="Your new agent"
			name={name}
			noun="token"
			secret={created.token}
			back="/admin/agents"
		>
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
	return { title: 'Your new agent', main };
}

interface CreatedAgent {
	id: string;
	token: string;
}

const commands = `board-access-agent check --config agent.yaml
board-access-agent start --config agent.yaml`;

// JSON strings are YAML strings.
function configuration(baseUrl: string, boards: BoardChoice) {
	const entries = boards.map(
		({ id, board_type }) => `  - id: ${JSON.stringify(id)}
    type: ${JSON.stringify(board_type)}
    driver: emulated   # or command, for a real board`,
	);
	return `service: ${JSON.stringify(baseUrl)}
token_file: ./token
boards:${entries.length > 0 ? `\n${entries.join('\n')}` : ' []'}`;
}
