// How the leases of a board went: those of today to scale, the last ones, and figures of a month.
import type { BoardView } from 'board-access-core';
import { Table } from '../elements/list.tsx';
import { Clock, Name } from '../elements/text.tsx';
import { isUsable } from './board-row.tsx';
import { Legend, type Span, TimeAxis, Timeline } from './timeline.tsx';
import { describeHolder, isOwn, kindOfPast, type Viewer } from './uses.ts';

type PastLease = BoardView['past'][number];

/** How many leases of a board are read at most. */
export const maxRead = 1_000;

export const historyDays = 30;

const hour = 60 * 60_000;
const day = 24 * hour;
const back = 12;
const ahead = 4;

interface HistoryProps extends Pick<BoardView, 'use' | 'past' | 'medianWait' | 'now' | 'start'> {
	viewer: Viewer;
}

export function Today({ use, past, viewer, now, start }: HistoryProps) {
	const frame = { now, back: back * 60, ahead: ahead * 60 };
	const recent = past.filter(({ ended_at }) => Date.parse(ended_at) > now - back * hour);
	const spans = spansOf({ use, past: recent, viewer, now });
	const count = (kind: Span['kind']) =>
		recent.filter((one) => kindOfPast(one, viewer) === kind).length;
	const [keys, others, own] = [count('key'), count('lease'), count('yours')];
	const label = `${keys} leases of API keys, ${others} of others and ${own} of yours ended`;
	return (
		<section class="card" data-live-results>
			<div class="group-head">
				<h2>
					The last {back} hours, and the next {ahead}
				</h2>
				<Legend
					words={[
						['key', `API keys, ${keys}`],
						['lease', `Others, ${others}`],
						['yours', `You, ${own}`],
						['running', 'Running'],
					]}
				/>
			</div>
			<div class="day">
				<Timeline frame={frame} spans={spans} knownSince={knownSince(past)} label={label} />
				<TimeAxis frame={frame} />
			</div>
			{start !== undefined && !isOwn(use, viewer) && (
				<p class="muted small">
					Free for another lease at about <Clock at={start} />.
				</p>
			)}
		</section>
	);
}

/** Before that, leases were not read. */
function knownSince(past: readonly PastLease[]) {
	return past.length === maxRead ? Date.parse(past.at(-1)?.granted_at ?? '') : undefined;
}

function spansOf({
	use: { board, lease },
	past,
	viewer,
	now,
}: Omit<HistoryProps, 'medianWait'>): Span[] {
	const spans: Span[] = past.map((one) => ({
		kind: kindOfPast(one, viewer),
		from: Date.parse(one.granted_at),
		until: Date.parse(one.ended_at),
	}));
	if (!isUsable(board)) {
		spans.push({ kind: 'unusable', from: Date.parse(board.status_since), until: now });
	}
	if (lease) {
		const kind = lease.account_id === viewer.account.id ? 'yours' : 'running';
		spans.push({ kind, from: Date.parse(lease.granted_at ?? ''), until: now });
		spans.push({ kind: 'expected', from: now, until: lease.endsAt });
	}
	return spans;
}

/** Figures of the leases that ended in a month, or since the board was added. */
export function Figures({ use: { board }, past, medianWait, now }: HistoryProps) {
	const isCut = past.length === maxRead;
	const since = isCut ? past.at(-1)?.granted_at : board.created_at;
	const length = Math.min(historyDays * day, now - Date.parse(since ?? ''));
	const isNew = length < historyDays * day;
	const ofTime = isNew ? 'Since it was added' : `Last ${historyDays} days`;
	const title = isCut ? `Last ${maxRead.toLocaleString('en')} leases` : ofTime;
	const sum = (lengths: number[]) => lengths.reduce((total, one) => total + one, 0);
	const used = sum(past.map((one) => Date.parse(one.ended_at) - Date.parse(one.granted_at)));
	const failures = past.filter(({ end_reason }) => isFailure(end_reason));
	const figures = [
		['Leases', past.length.toLocaleString('en')],
		['In use', `${Math.min(100, Math.round((used / Math.max(1, length)) * 100))} %`],
		['Wait, median', inMinutes(medianWait)],
		['Board failures', failures.length],
	] as const;
	return (
		<section class="card">
			<h2>{title}</h2>
			<dl class="figures">
				{figures.map(([name, figure]) => (
					<div>
						<dt class="muted small">{name}</dt>
						<dd>{figure}</dd>
					</div>
				))}
			</dl>
			{failures[0] && (
				<p class="muted small">
					The last failure was at <Clock at={failures[0].ended_at} />:{' '}
					{endWords[failures[0].end_reason ?? 'agent_lost'].toLowerCase()}.
				</p>
			)}
		</section>
	);
}

const endWords = {
	released: 'Released',
	expired: 'Expired',
	cancelled: 'Cancelled',
	no_board: 'No board',
	prepare_failed: 'Preparation failed',
	agent_lost: 'Connection to the board lost',
	admin: 'Ended by an administrator',
} as const;

function isFailure(reason: PastLease['end_reason']) {
	return reason === 'prepare_failed' || reason === 'agent_lost';
}

function inMinutes(milliseconds: number) {
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export const maxListed = 8;

export function LastLeases({ past, viewer }: HistoryProps) {
	if (past.length === 0) return null;
	const { id, role } = viewer.account;
	const who = (one: PastLease) => {
		const name = <Name>{describeHolder(one, viewer)}</Name>;
		return role === 'admin' || one.account_id === id ? (
			<a href={`/leases/${one.id}`}>{name}</a>
		) : (
			name
		);
	};
	return (
		<section>
			<h2>Last leases</h2>
			<Table
				caption="Last leases"
				rows={past.slice(0, maxListed)}
				columns={[
					{ label: 'Who', cell: who, class: 'main-cell' },
					{ label: 'From', cell: ({ granted_at }) => <Clock at={granted_at} />, class: 'bare' },
					{ label: 'Until', cell: ({ ended_at }) => <Clock at={ended_at} />, class: 'bare' },
					{
						label: 'End',
						cell: ({ end_reason }) => end_reason && endWords[end_reason],
						class: 'bare',
					},
				]}
			/>
		</section>
	);
}
