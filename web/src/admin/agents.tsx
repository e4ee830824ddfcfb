// Agents for administrators: what drives the boards, its token, and which boards it has.
import { type Done, listAgentDetails, listDrivenBoards } from 'board-access-core';
import { version } from '../../../package.json';
import { CodeBlock } from '../elements/code.tsx';
import { ButtonLink, Field, FieldError } from '../elements/form.tsx';
import { type Column, EmptyState, Live, Table } from '../elements/list.tsx';
import { showOnce } from '../elements/question.tsx';
import { Name, Note, PageHead, StrongName, Time } from '../elements/text.tsx';
import { filledValues } from '../form.ts';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { identifiers, text } from './fields.ts';
import { ItemForm, resourcePages } from './resource.tsx';

type Agent = Awaited<ReturnType<typeof listAgentDetails>>[number];

const path = '/admin/agents';

export function agentAdminPages(pages: Pages) {
	pages.admins.get(path, showAgents);
	resourcePages(pages, {
		path,
		operations: {
			create: 'createAgent',
			read: 'getAgent',
			update: 'updateAgent',
			remove: 'revokeAgent',
		},
		fields: {
			name: { kind: text, sentence: 'Enter a name of at most 200 characters.' },
			board_ids: { kind: identifiers, sentence: (message) => `The list of boards ${message}.` },
		},
		showForm,
		created: showToken,
		changed: ({ c }) => goTo(c, path, 'agent-changed'),
		removal: 'revoke',
		question: ({ name, hint }) => ({
			title: 'Revoke this agent?',
			lead: 'Its token stops working immediately, and the leases of its boards end. You cannot undo this.',
			facts: [
				['Agent', <Name>{name}</Name>],
				['Masked token', <code>{hint}</code>],
			],
			cancel: path,
			submit: 'Revoke agent',
		}),
		removed: ({ c }) => goTo(c, path, 'agent-revoked'),
	});
}

const columns: Column<Agent>[] = [
	{ label: 'Agent', cell: AgentName, class: 'main-cell' },
	{ label: 'Connection', cell: Connection, class: 'bare' },
	{ label: 'Version', cell: Version },
	{ label: 'Boards', cell: ({ boards }) => boards ?? 0, class: 'end' },
	{ label: 'Masked token', cell: ({ hint }) => <code>{hint}</code>, class: 'fixed' },
	{ label: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
	{ label: 'Revoke', cell: RevokeLink, class: 'end' },
];

async function showAgents({ services: { database } }: MemberVisit) {
	const agents = await listAgentDetails(database.query);
	const main = (
		<>
			<PageHead
				title="Agents"
				lead="An agent runs next to the hardware, connects to this service and drives its boards."
			>
				<ButtonLink href={`${path}/new`} text="Add agent" icon="plus" look="primary" />
			</PageHead>
			{agents.length === 0 ? (
				<EmptyState icon="board" title="There are no agents yet">
					<p>Boards without an agent can be leased, but nothing prepares or connects them.</p>
				</EmptyState>
			) : (
				<Live>
					<Table caption="Agents" rows={agents} columns={columns} />
				</Live>
			)}
		</>
	);
	return { title: 'Agents', main };
}

function AgentName({ id, name, host }: Agent) {
	return (
		<>
			<a href={`${path}/${id}`}>
				<StrongName text={name} />
			</a>
			<Note text={host} />
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
	// Compared number by number, as in 0.9.0 and 0.10.0.
	const isOlder = own.localeCompare(version, 'en', { numeric: true }) < 0;
	return (
		<>
			{isOlder ? (
				<strong>
					<bdi>{own}</bdi>, older
				</strong>
			) : (
				<bdi>{own}</bdi>
			)}
			{started_at && (
				<p class="muted small">
					started <Time at={started_at} />
				</p>
			)}
		</>
	);
}

function RevokeLink({ id, name }: Agent) {
	const href = `${path}/${id}/revoke`;
	return <ButtonLink href={href} text="Revoke" look="danger" label={`Revoke ${name}`} />;
}

/** With more boards, their identifiers are entered as text. */
const maxCheckboxes = 100;

async function showForm(visit: MemberVisit) {
	const { name = '', board_ids: chosen = '' } = filledValues(visit.c);
	const chosenIds = chosen.split('\n');
	const id = visit.c.req.param('id');
	const boards = await listDrivenBoards(visit.services.database.query);
	const lead = id
		? 'The agent drives exactly the boards that are chosen here.'
		: 'Its token is shown once, on the next page. Have a safe place ready for it.';
	const title = id ? <Name>{name}</Name> : 'Add an agent';
	const main = (
		<ItemForm visit={visit} title={title} lead={lead} add="Add agent" cancel={path}>
			<Field
				name="name"
				label="Name"
				help="Where it runs, for example “raspberry-1”."
				input={{ maxlength: 200 }}
			/>
			{boards.length > maxCheckboxes ? (
				<Field
					name="board_ids"
					label="Boards"
					help="The identifier of a board on each line, from its page or from an export. A board of another agent moves to this one."
					optional
					input={{ rows: 12, spellcheck: 'false', class: 'mono' }}
				/>
			) : (
				<fieldset class="field" id="board_ids">
					<legend>Boards</legend>
					{boards.length === 0 && <p class="muted">There are no boards yet.</p>}
					<div class="board-choice">
						{boards.map((board) => (
							<label class="check">
								<input
									type="checkbox"
									name="board_ids"
									value={board.id}
									checked={chosenIds.includes(board.id)}
								/>
								<span>
									<Name>{board.name}</Name> <code dir="auto">{board.board_type}</code>
									{board.agent_id && board.agent_id !== id && (
										<span class="muted small"> now driven by {board.agent_name}</span>
									)}
								</span>
							</label>
						))}
					</div>
					<FieldError name="board_ids" />
				</fieldset>
			)}
		</ItemForm>
	);
	return { title: id ? name : 'Add an agent', main };
}

/** Shows the token of a new agent, once: a form that is sent again gets none. */
async function showToken({ c, services }: MemberVisit, agent: Partial<Done<'createAgent'>>) {
	const { id, name, token } = agent;
	if (token === undefined) return goTo(c, path, 'agent-shown');
	const all = await listDrivenBoards(services.database.query);
	const boards = all.filter(({ agent_id }) => agent_id === id);
	const config = configuration(services.settings.baseUrl, boards);
	const children = (
		<>
			<h2>Configuration of the agent</h2>
			<p class="muted">
				On the machine next to the hardware: store the token in a file that only the agent can read,
				and set the driver of each board.
			</p>
			<CodeBlock id="agent-config" what="the configuration" text={config} />
			<h2>Start it</h2>
			<p class="muted">
				The README of <code>board-access-agent</code> describes how to install it.
			</p>
			<CodeBlock id="agent-start" what="the commands" text={commands} />
		</>
	);
	const secret = { title: 'Your new agent', name, noun: 'token', secret: token };
	return showOnce({ ...secret, back: path, children });
}

const commands = `board-access-agent check --config agent.yaml
board-access-agent start --config agent.yaml`;

// JSON strings are YAML strings.
function configuration(baseUrl: string, boards: { id: string; board_type: string }[]) {
	const entries = boards.map(
		({ id, board_type }) => `  - id: ${JSON.stringify(id)}
    type: ${JSON.stringify(board_type)}
    driver: emulated
    # For a real board: driver: command, a preset or commands, and what happens to its firmware
    # after each lease, such as between_leases: erase`,
	);
	return `service: ${JSON.stringify(baseUrl)}
token_file: ./token
boards:${entries.length > 0 ? `\n${entries.join('\n')}` : ' []'}`;
}
