// What goes on in the laboratory: boards, queue, failures and agents, read again every ten seconds.
import {
	failureDays,
	type Overview,
	readOverview,
	summarizeBoardTypes,
	type TypeSummary,
} from 'board-access-core';
import type { Child } from 'hono/jsx';
import { AsOf, type Column, Live, Table } from '../elements/list.tsx';
import { BoardLink, Clock, Icon, inWords, Name, Note, Since, TypeLink } from '../elements/text.tsx';
import type { MemberVisit, Pages } from '../pages.tsx';
import { typeColumns } from './inventory.tsx';

const path = '/admin/overview';
const maxRows = 8;
const maxAgentNames = 3;

export function overviewPages({ admins }: Pages) {
	admins.get(path, show);
}

async function show({ account, services: { database, limits } }: MemberVisit) {
	const view = await limits.costlyRead(account.id, async () => ({
		...(await readOverview(database)),
		types: await summarizeBoardTypes(database.reader),
	}));
	const { types, queue, causes, failingBoards } = view;
	const main = (
		<div class="overview">
			<h1 class="unseen">Overview</h1>
			<Live>
				<AsOf at={view.time} href={path} />
				<Figures {...view} />
				<Panel
					title="Boards by type"
					note={<a href="/admin/boards">{`All ${number(types.length)} types`}</a>}
					rows={types.toSorted((one, other) => other.all - one.all)}
					columns={typeColumns}
					none="There are no boards yet."
				/>
				<div class="panels stack">
					<Panel
						title="Queue"
						rows={queue}
						columns={queueColumns}
						none="Nobody waits for a board."
					/>
					<Panel
						title="Failures by cause"
						note={`${failureDays} days`}
						rows={causes}
						columns={causeColumns}
						none="Nothing has failed."
					/>
					<Panel
						title="Boards that failed most"
						note={`${failureDays} days`}
						rows={failingBoards}
						columns={failingColumns}
						none="No board has failed."
					/>
				</div>
			</Live>
		</div>
	);
	return { title: 'Overview', main };
}

function Panel<Row>(props: {
	title: string;
	note?: Child;
	rows: readonly Row[];
	columns: readonly Column<Row>[];
	none: string;
}) {
	const { title, note, rows, columns, none } = props;
	return (
		<section class="card">
			<div class="group-head">
				<h2>{title}</h2>
				<span class="muted small">{note}</span>
			</div>
			{rows.length === 0 ? (
				<p class="muted">{none}</p>
			) : (
				<Table caption={title} rows={rows.slice(0, maxRows)} columns={columns} />
			)}
		</section>
	);
}

function number(value: number) {
	return value.toLocaleString('en');
}

function Figures({ types, queue, agents, failedLeases }: Overview & { types: TypeSummary[] }) {
	const sum = (name: 'in_use' | 'available') =>
		types.reduce((total, type) => total + type[name], 0);
	const usable = sum('in_use') + sum('available');
	const since = queue.map((row) => row.since).sort()[0];
	const waiting = queue.reduce((total, row) => total + row.waiting, 0);
	const away = agents.filter(({ connection_id }) => connection_id === null);
	const figures = [
		['In use now', number(sum('in_use')), `of ${number(usable)} usable boards`],
		['Waiting', number(waiting), since && <Since at={since} />],
		['Failed leases, 24 hours', number(failedLeases)],
		[
			'Agents online',
			number(agents.length - away.length),
			[`of ${number(agents.length)} `, <Away agents={away} />],
		],
	] as const;
	return (
		<dl class="key-figures">
			{figures.map(([label, value, note]) => (
				<div>
					<dt class="muted small">{label}</dt>
					<dd class="muted small">
						<strong>{value}</strong> {note}
					</dd>
				</div>
			))}
		</dl>
	);
}

function Away({ agents: [first, ...others] }: Pick<Overview, 'agents'>) {
	if (!first) return null;
	return (
		<span class="away">
			<Icon name="alert" />
			<Name>{first.name}</Name> away {first.last_seen_at && <Since at={first.last_seen_at} />}
			{others.length > 0 && ` and ${number(others.length)} more`}
		</span>
	);
}

const queueColumns: Column<Overview['queue'][number]>[] = [
	{ label: 'Type', cell: (row) => <TypeLink type={row.board_type} plain />, class: 'main-cell' },
	{ label: 'Waiting', cell: (row) => number(row.waiting), class: 'end' },
	{ label: 'Since', cell: ({ since }) => <Clock at={since} />, class: 'end' },
	{ label: 'Next, about', cell: ({ next }) => (next ? <Clock at={next} /> : '–'), class: 'end' },
];

type Failures = Overview['causes'][number];

const failures: Column<Failures> = {
	label: 'Failures',
	cell: (row) => number(row.failures),
	class: 'end',
};

const causeColumns: Column<Failures>[] = [
	{
		label: 'Cause',
		cell: ({ cause, agents }) => [inWords(cause), <Note text={agentNames(agents)} />],
		class: 'main-cell',
	},
	failures,
];

function agentNames(names: readonly string[]) {
	const others = names.length - maxAgentNames;
	const first = names.slice(0, maxAgentNames).join(', ');
	return others > 0 ? `${first} and ${number(others)} more` : first;
}

const failingColumns: Column<Failures>[] = [
	{
		label: 'Board',
		cell: ({ board_id, name, cause, agents }) => [
			<strong>{name === null ? board_id : <BoardLink id={board_id} name={name} />}</strong>,
			<Note text={[inWords(cause), agentNames(agents)].filter(Boolean).join(', ')} />,
		],
		class: 'main-cell',
	},
	failures,
];
