// The leases of a board: the last hours as a timeline, and the last leases as a table.
import type { BoardView } from 'board-access-core';
import { Table } from '../elements/list.tsx';
import { Clock, NameLink } from '../elements/text.tsx';
import { endWordsOf } from '../leases/status.tsx';
import { isUsable } from './board-row.tsx';
import { hoursAhead, hoursBack, Legend, type Span, TimeAxis, Timeline } from './timeline.tsx';
import { describeHolder, type Viewer } from './uses.ts';

type PastLease = BoardView['past'][number];

/** The most leases of a board that are read. */
export const maxRead = 500;

const hour = 60 * 60_000;

interface HistoryProps extends Pick<BoardView, 'use' | 'past' | 'now'> {
	viewer: Viewer;
}

export function Today({ use, past, viewer, now }: HistoryProps) {
	const recent = past.filter(({ ended_at }) => Date.parse(ended_at) > now - hoursBack * hour);
	const spans = spansOf({ use, past: recent, viewer, now });
	const label = `Leases that ended in this time: ${recent.length}`;
	return (
		<section class="card" data-live-results>
			<div class="group-head">
				<h2>
					The last {hoursBack} hours, and the next {hoursAhead}
				</h2>
				<Legend />
			</div>
			<Timeline now={now} spans={spans} label={label} />
			<TimeAxis now={now} />
		</section>
	);
}

function spansOf({ use: { board, lease }, past, viewer, now }: HistoryProps): Span[] {
	const spans: Span[] = past.map((one) => ({
		kind: one.account_id === viewer.account.id ? 'yours' : 'lease',
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

export const maxListed = 8;

/** For administrators, who can open each lease. */
export function LastLeases({ past, viewer }: Pick<HistoryProps, 'past' | 'viewer'>) {
	if (past.length === 0) return null;
	const who = (one: PastLease) => (
		<NameLink href={`/leases/${one.id}`} name={describeHolder(one, viewer)} />
	);
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
					{ label: 'End', cell: endOf, class: 'bare' },
				]}
			/>
		</section>
	);
}

function endOf({ end_reason }: PastLease) {
	return endWordsOf({ end_reason, access: 'look' });
}
