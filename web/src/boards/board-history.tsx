// The leases of a board: the last hours as a timeline, and the last leases as a table.
import type { BoardView } from 'board-access-core';
import { Table } from '../elements/list.tsx';
import { Clock, Name } from '../elements/text.tsx';
import { isUsable } from './board-row.tsx';
import { Legend, type Span, TimeAxis, Timeline } from './timeline.tsx';
import { describeHolder, isOwn, kindOfPast, type Viewer } from './uses.ts';

type PastLease = BoardView['past'][number];

/** The most leases of a board that are read. */
export const maxRead = 500;

const hour = 60 * 60_000;
const back = 12;
const ahead = 4;

interface HistoryProps extends Pick<BoardView, 'use' | 'past' | 'now' | 'start'> {
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
			<Timeline frame={frame} spans={spans} knownSince={knownSince(past)} label={label} />
			<TimeAxis frame={frame} />
			{start !== undefined && !isOwn(use, viewer) && (
				<p class="muted small">
					Free for another lease at about <Clock at={start} />.
				</p>
			)}
		</section>
	);
}

/** Earlier leases were not read. */
function knownSince(past: readonly PastLease[]) {
	return past.length === maxRead ? Date.parse(past.at(-1)?.granted_at ?? '') : undefined;
}

function spansOf({ use: { board, lease }, past, viewer, now }: HistoryProps): Span[] {
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

const endWords = {
	released: 'Released',
	expired: 'Expired',
	cancelled: 'Cancelled',
	no_board: 'No board',
	prepare_failed: 'Preparation failed',
	agent_lost: 'Connection to the board lost',
	admin: 'Ended by an administrator',
} as const;

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
