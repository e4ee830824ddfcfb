// The tables of the overview. Each column has a text, of which its CSV file is made.

import type { Overview } from 'board-access-core';
import { version } from '../../../../package.json';
import { statusWords } from '../../boards/status.tsx';
import { type Column, Table } from '../../elements/list.tsx';
import { BoardLink, Name, Note, StrongName, TypeLink } from '../../elements/text.tsx';
import { Clock, duration, number, secondsSince } from './figures.tsx';

/** A column that shows its text, unless it has a cell. */
export type Field<Row> = Pick<Column<Row>, 'label' | 'class'> & {
	text: (row: Row) => string;
	cell?: Column<Row>['cell'];
};

export function FieldTable<Row>(props: {
	caption: string;
	rows: readonly Row[];
	fields: readonly Field<Row>[];
}) {
	const columns = props.fields.map(({ text, cell = text, ...field }) => ({ ...field, cell }));
	return <Table caption={props.caption} rows={props.rows} columns={columns} />;
}

type BoardState = Overview['counts'][number]['state'];

const stateWords: Record<BoardState, string> = { ...statusWords, failing: 'Failing' };

export const typeFields: Field<Overview['types'][number]>[] = [
	{
		label: 'Type',
		text: ({ board_type }) => board_type,
		cell: ({ board_type }) => <TypeLink type={board_type} plain />,
		class: 'main-cell',
	},
	{ label: 'Boards', text: ({ boards }) => String(boards), class: 'end' },
	...(['available', 'in_use', 'failing', 'maintenance', 'offline'] as const).map((state) => ({
		label: stateWords[state],
		text: ({ states }: Overview['types'][number]) => String(states.get(state) ?? 0),
		class: 'end',
	})),
];

export function queueFields(time: number): Field<Overview['queue'][number]>[] {
	return [
		{
			label: 'Type',
			text: (row) => row.board_type,
			cell: (row) => <TypeLink type={row.board_type} plain />,
			class: 'main-cell',
		},
		{ label: 'Waiting', text: (row) => String(row.waiting), class: 'end' },
		{ label: 'Longest', text: ({ since }) => duration(secondsSince(since, time)), class: 'end' },
		{
			label: 'Next, about',
			text: ({ next }) => next ?? '',
			cell: ({ next }) => (next ? <Clock at={next} /> : '–'),
			class: 'end',
		},
	];
}

const causeWords: Record<Cause['cause'], string> = {
	agent_lost: 'Agent lost',
	agent_failed: 'Agent failed',
	download_failed: 'Base image not downloaded',
	prepare_timeout: 'Preparation timed out',
	no_device: 'No device',
	verify_failed: 'Verification failed',
	timeout: 'Tool timed out',
	not_erased: 'Not erased after a lease',
	flash_failed: 'Flash failed',
	erase_failed: 'Erase failed',
	reset_failed: 'Reset failed',
	power_on_failed: 'Power on failed',
	power_off_failed: 'Power off failed',
	power_cycle_failed: 'Power cycle failed',
};

type Cause = Overview['causes'][number];

const maxAgents = 3;

export function causeFields(causes: readonly Cause[]): Field<Cause>[] {
	const most = causes[0]?.failures ?? 0;
	const cell = (cause: Cause) => <CauseCell {...cause} most={most} />;
	return [
		{ label: 'Cause', text: ({ cause }) => causeWords[cause], cell, class: 'main-cell' },
		{ label: 'Failures', text: ({ failures }) => String(failures), class: 'end' },
	];
}

function CauseCell({ cause, failures, agents, most }: Cause & { most: number }) {
	const others = agents.length - maxAgents;
	return (
		<>
			{causeWords[cause]}
			<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
				<rect width={(failures / most) * 100} height="1" />
			</svg>
			<span class="muted small">
				<Name>{agents.slice(0, maxAgents).join(', ')}</Name>
				{others > 0 && ` and ${number(others)} more`}
			</span>
		</>
	);
}

type Trouble = Overview['trouble'][number];

export function troubleFields(period: Overview['period']): Field<Trouble>[] {
	return [
		{
			label: 'Board',
			text: ({ board_id, name }) => name ?? board_id,
			cell: (row) => (
				<>
					<strong>
						{row.name === null ? row.board_id : <BoardLink id={row.board_id} name={row.name} />}
					</strong>{' '}
					<Note text={[row.agent, lastCause(row)].filter(Boolean).join(', ')} />
				</>
			),
			class: 'main-cell',
		},
		{
			label: 'By day',
			text: (row) => tracesOf(row, period).join(' '),
			cell: (row) => <Trace counts={tracesOf(row, period)} />,
			class: 'end',
		},
		{ label: 'Failures', text: ({ failures }) => String(failures), class: 'end' },
	];
}

export function lastCause({ days }: Trouble) {
	const last = days.at(-1);
	return last ? causeWords[last.cause] : '';
}

function tracesOf({ days }: Trouble, { first, days: length }: Overview['period']) {
	const counts = Map.groupBy(days, ({ date }) => Date.parse(date) / 86_400_000 - first);
	return Array.from({ length }, (_, index) =>
		(counts.get(index) ?? []).reduce((sum, { failures }) => sum + failures, 0),
	);
}

function Trace({ counts }: { counts: readonly number[] }) {
	const most = Math.max(...counts);
	return (
		<svg
			class="trace"
			viewBox={`0 0 ${counts.length * 4} 20`}
			preserveAspectRatio="none"
			role="img"
		>
			<title>{`Failures day by day: ${counts.join(', ')}`}</title>
			{counts.map((count, index) => {
				const height = count === 0 ? 1 : 3 + (count / most) * 17;
				const name = count === 0 ? 'none' : undefined;
				return <rect class={name} x={index * 4} y={20 - height} width="3" height={height} />;
			})}
		</svg>
	);
}

type AgentRow = Overview['agents'][number];

/** Compared number by number, as in 0.9.0 and 0.10.0. */
function isOlder(own: string) {
	return own.localeCompare(version, 'en', { numeric: true }) < 0;
}

export function agentFields(time: number): Field<AgentRow>[] {
	return [
		{ label: 'Agent', text: ({ name }) => name, cell: AgentCell, class: 'main-cell' },
		{ label: 'Version', text: ({ version }) => version ?? 'not reported', cell: VersionCell },
		{ label: 'Boards', text: ({ boards }) => String(boards), class: 'end' },
		{ label: 'Up', text: (agent) => uptime(agent, time), class: 'end fixed' },
	];
}

function AgentCell({ id, name, host, connection_id, last_seen_at }: AgentRow) {
	const isOnline = connection_id !== null;
	return (
		<>
			<a class={`row-link ${isOnline ? 'online' : 'away'}`} href={`/admin/agents/${id}`}>
				<StrongName text={name} />
			</a>{' '}
			<span class="muted small">
				{isOnline ? <Name>{host ?? ''}</Name> : 'away'}
				{!isOnline && last_seen_at && (
					<>
						{' since '}
						<Clock at={last_seen_at} />
					</>
				)}
			</span>
		</>
	);
}

function VersionCell({ version: own }: AgentRow) {
	if (!own || !isOlder(own)) return own ?? <span class="muted">not reported</span>;
	return (
		<>
			<strong>{own}</strong> <span class="small">older</span>
		</>
	);
}

function uptime({ connection_id, started_at }: AgentRow, time: number) {
	if (connection_id === null || started_at === null) return '–';
	const hours = secondsSince(started_at, time) / 3600;
	if (hours < 1) return `${Math.floor(hours * 60)} min`;
	return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} d`;
}
