// The boards at a glance.
import { type BoardCounts, boardSorts, type searchBoards } from '../../boards/search.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Pager } from '../elements/pager.tsx';
import { SameCall } from '../elements/same-call.tsx';
import { type Sort, sortLink, sortText } from '../elements/sort.ts';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../local-path.ts';
import { boardsCall } from './calls.ts';
import { BoardFilters } from './filters.tsx';
import { type BoardStatus, StatusBadge } from './status.tsx';

type Board = Awaited<ReturnType<typeof searchBoards>>[number];

export interface BoardsView {
	text: string;
	board_type: string | undefined;
	status: BoardStatus | undefined;
	sort: Sort<(typeof boardSorts)[number]>;
	boards: Board[];
	types: string[];
	counts: BoardCounts;
	total: number;
	page: number;
	pageSize: number;
	baseUrl: string;
	admin: boolean;
}

export function BoardsPage(view: BoardsView) {
	return (
		<>
			<PageHead
				title="Boards"
				lead="The hardware of this service, and what it is doing right now."
			/>
			{view.types.length === 0 ? (
				<NoBoards admin={view.admin} />
			) : (
				<div data-live-filter>
					<BoardFilters {...view} hrefOf={(change) => hrefOf(view, change)} />
					<BoardResults {...view} />
				</div>
			)}
		</>
	);
}

function BoardResults(view: BoardsView) {
	return (
		<div data-live-results>
			<output class="unseen">{`${view.total.toLocaleString('en')} boards match`}</output>
			{view.boards.length === 0 ? <NoMatch {...view} /> : <BoardTable {...view} />}
			<Pager {...view} hrefOf={(page) => hrefOf(view, { page: String(page) })} />
			<SameCall
				call={boardsCall(view.baseUrl, view)}
				note={
					view.text
						? 'The API filters by type and status. The search is done on this page only.'
						: undefined
				}
			/>
		</div>
	);
}

function BoardTable(view: BoardsView) {
	const sorted = (name: (typeof boardSorts)[number]) =>
		sortLink(name, view.sort, (sort) => hrefOf(view, { sort }));
	return (
		<Table
			caption="Boards"
			rows={view.boards}
			columns={[
				{ label: 'Board', cell: BoardName, sort: sorted('name'), class: 'main-cell' },
				{
					label: 'Status',
					cell: ({ status }) => <StatusBadge status={status} />,
					sort: sorted('status'),
					class: 'bare',
				},
				{
					label: 'Type',
					cell: ({ board_type }) => <code>{board_type}</code>,
					sort: sorted('board_type'),
					class: 'bare',
				},
				{ label: 'Tags', cell: Tags, class: 'bare' },
				{
					label: 'Updated',
					cell: ({ updated_at }) => <Time at={updated_at} />,
					sort: sorted('updated_at'),
					class: 'muted',
				},
			]}
		/>
	);
}

function NoMatch({ counts }: BoardsView) {
	return (
		<EmptyState icon="search" title="No board matches">
			<p>
				{counts.all > 0
					? 'None with this status just now. '
					: 'Search for less, or for another type. '}
				<a href="/boards">Show all boards</a>
			</p>
		</EmptyState>
	);
}

function BoardName({ id, name, description }: Board) {
	return (
		<>
			<strong>{name}</strong> <code class="muted small">{id}</code>
			{description && <p class="muted small">{description}</p>}
		</>
	);
}

function Tags({ tags }: Board) {
	const entries = Object.entries(tags);
	if (entries.length === 0) return <span class="muted">–</span>;
	return (
		<ul class="tags">
			{entries.map(([name, value]) => (
				<li>
					<span class="muted">{name}</span> {value}
				</li>
			))}
		</ul>
	);
}

function NoBoards({ admin }: { admin: boolean }) {
	return (
		<EmptyState icon="board" title="There are no boards yet">
			{admin ? (
				<p>
					<a href="/admin/boards">Import your boards</a>; they appear here at once.
				</p>
			) : (
				<p>As soon as the operator adds boards, they appear here.</p>
			)}
		</EmptyState>
	);
}

/** The present view with a change, on its first page: another filter has other pages. */
function hrefOf(
	{ text, board_type, status, sort }: BoardsView,
	change: Record<string, string | undefined>,
) {
	return withQuery('/boards', {
		q: text,
		board_type,
		status,
		sort: sortText(sort, boardSorts),
		...change,
	});
}
