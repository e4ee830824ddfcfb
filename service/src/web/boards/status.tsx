// The status of a board, by colour and by word.
import type { BoardCounts } from '../../boards/search.ts';
import type { BoardRow } from '../../database/schema.ts';

export type BoardStatus = BoardRow['status'];

export const statusWords: Record<BoardStatus, string> = {
	available: 'Available',
	in_use: 'In use',
	maintenance: 'Maintenance',
	offline: 'Offline',
};

/** Every status, in display order. The record has exactly these keys. */
export const statuses = Object.keys(statusWords) as BoardStatus[];

export function StatusBadge({ status }: { status: BoardStatus }) {
	return <span class={`badge status-${status}`}>{statusWords[status]}</span>;
}

interface StatusTabsProps {
	status: BoardStatus | undefined;
	counts: BoardCounts;
	hrefOf: (change: Record<string, string | undefined>) => string;
}

/** The statuses, with how many boards each has. */
export function StatusTabs({ status, counts, hrefOf }: StatusTabsProps) {
	return (
		<div class="glance">
			<nav class="status-tabs" aria-label="Status">
				<a href={hrefOf({ status: undefined })} aria-current={status ? undefined : 'true'}>
					<span>All</span>
					<strong>{counts.all.toLocaleString('en')}</strong>
				</a>
				{statuses.map((name) => (
					<a
						class={`status-${name}`}
						href={hrefOf({ status: name })}
						aria-current={status === name ? 'true' : undefined}
					>
						<span>{statusWords[name]}</span>
						<strong>{counts[name].toLocaleString('en')}</strong>
					</a>
				))}
			</nav>
			<StatusBar counts={counts} />
		</div>
	);
}

/** The same numbers as one bar, for the eye only. */
function StatusBar({ counts }: { counts: BoardCounts }) {
	let start = 0;
	return (
		<svg class="status-bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
			{statuses.map((name) => {
				const width = counts.all === 0 ? 0 : (counts[name] / counts.all) * 1000;
				const x = start;
				start += width;
				return <rect class={`status-${name}`} x={x} y="0" width={width} height="8" />;
			})}
		</svg>
	);
}
