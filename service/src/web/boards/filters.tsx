// Chooses the boards to show: a search, a type, and the statuses with how many boards each has.
import type { BoardCounts } from '../../boards/search.ts';
import { SearchForm } from '../elements/search-form.tsx';
import { type BoardStatus, statuses, statusWords } from './status.tsx';

interface BoardFiltersProps {
	text: string;
	board_type: string | undefined;
	status: BoardStatus | undefined;
	types: string[];
	/** What the search keeps of the address: the order and the page size. */
	kept: Record<string, string | undefined>;
}

export function BoardFilters({ text, board_type, status, types, kept }: BoardFiltersProps) {
	return (
		<SearchForm
			action="/boards"
			label="Search boards"
			placeholder="Name, identifier, tag…"
			text={text}
			kept={{ status, ...kept }}
		>
			<label class="unseen" for="board_type">
				Type
			</label>
			<select id="board_type" name="board_type">
				<option value="">All types</option>
				{types.map((type) => (
					<option value={type} selected={type === board_type} dir="auto">
						{type}
					</option>
				))}
			</select>
		</SearchForm>
	);
}

interface StatusTabsProps {
	status: BoardStatus | undefined;
	counts: BoardCounts;
	hrefOf: (change: Record<string, string | undefined>) => string;
}

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
