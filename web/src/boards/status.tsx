// The status of a board, by color and by word, and its tags.
import type { boardStatuses } from 'board-access-contract';
import { withQuery } from '../paths.ts';

export type BoardStatus = (typeof boardStatuses)[number];
export type BoardCounts = Record<BoardStatus | 'all', number>;

export const statusWords: Record<BoardStatus, string> = {
	available: 'Available',
	in_use: 'In use',
	maintenance: 'Maintenance',
	offline: 'Offline',
};

/** Every status, in display order: the keys of the record. */
export const statuses = Object.keys(statusWords) as BoardStatus[];

export function StatusBadge({ status }: { status: BoardStatus }) {
	return <span class={`badge status-${status}`}>{statusWords[status]}</span>;
}

const tabWords = { all: 'All', ...statusWords };

type ShownStatus = BoardStatus | undefined;
type HrefOf = (change: { status: ShownStatus }) => string;

/** A link for each status, with its number of boards. */
export function statusTabs(counts: BoardCounts, current: ShownStatus, hrefOf: HrefOf) {
	return (
		<nav class="status-tabs" aria-label="Status">
			{[undefined, ...statuses].map((status) => (
				<a
					class={status && `status-${status}`}
					href={hrefOf({ status })}
					aria-current={status === current ? 'true' : undefined}
				>
					<strong>{counts[status ?? 'all'].toLocaleString('en')}</strong>
					<span>{tabWords[status ?? 'all']}</span>
				</a>
			))}
		</nav>
	);
}

/** The tags of a board, each linked to the boards with the same tag. */
export function Tags({ tags }: { tags: Record<string, string> }) {
	const entries = Object.entries(tags);
	if (entries.length === 0) return <span class="muted">–</span>;
	return (
		<ul class="tags">
			{entries.map(([name, value]) => (
				<li>
					<a
						class="plain"
						href={withQuery('/boards', { q: `${name}:${value}` })}
						aria-label={`Boards with ${name} ${value}`}
					>
						<bdi class="muted">{name}</bdi> <bdi>{value}</bdi>
					</a>
				</li>
			))}
		</ul>
	);
}
