// The list of boards.

import { type BoardCounts, boardSorts, type searchBoards } from '../../boards/search.ts';
import { AsOf } from '../elements/as-of.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { Matches } from '../elements/matches.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { type PageChoice, Pager, sizeText } from '../elements/pager.tsx';
import { SameRequest } from '../elements/same-request.tsx';
import { type Sort, sortLink, sortText } from '../elements/sort.ts';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../paths.ts';
import { BoardFilters, StatusTabs } from './filters.tsx';
import { boardsRequest } from './requests.ts';
import { type BoardStatus, StatusBadge } from './status.tsx';
import { Tags } from './tags.tsx';

type Board = Awaited<ReturnType<typeof searchBoards>>[number];

export interface BoardsView extends PageChoice {
	text: string;
	board_type: string | undefined;
	status: BoardStatus | undefined;
	sort: Sort<(typeof boardSorts)[number]>;
	/** How many boards match; `total` of them are listed. */
	matching: number;
	boards: Board[];
	types: string[];
	counts: BoardCounts;
	/** When the boards were read. */
	at: string;
	baseUrl: string;
	admin: boolean;
}

export function BoardsPage(view: BoardsView) {
	return (
		<>
			<PageHead title="Boards" lead="The hardware of this service and its current status." />
			{view.types.length === 0 ? (
				<NoBoards admin={view.admin} />
			) : (
				<div data-live-filter data-live-seconds="15">
					<BoardFilters {...view} kept={keptIn(view)} />
					<BoardResults {...view} />
				</div>
			)}
		</>
	);
}

function BoardResults(view: BoardsView) {
	return (
		<div data-live-results>
			<StatusTabs {...view} hrefOf={(change) => hrefOf(view, change)} />
			<Matches total={view.matching} noun="board" />
			<AsOf at={view.at} href={hrefOf(view, { page: pageText(view) })} />
			{view.boards.length === 0 ? <NoMatch {...view} /> : <BoardTable {...view} />}
			<Pager {...view} hrefOf={(change) => hrefOf(view, change)} />
			{view.matching > view.total && <NotListed {...view} />}
			<SameRequest
				examples={boardsRequest(view.baseUrl, view)}
				note={
					view.text
						? 'The API filters by type and status. The text search works on this page only.'
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
					cell: ({ board_type }) => (
						<a class="plain" href={withQuery('/boards', { board_type })}>
							<code dir="auto">{board_type}</code>
						</a>
					),
					sort: sorted('board_type'),
					class: 'bare type-cell',
				},
				{ label: 'Tags', cell: Tags, class: 'bare tags-cell' },
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

function NotListed({ matching, total }: BoardsView) {
	const [all, listed] = [matching, total].map((count) => count.toLocaleString('en'));
	return (
		<p class="muted">
			{`${all} boards match, and the first ${listed} are listed. Search, filter or sort to see the others.`}
		</p>
	);
}

function NoMatch({ counts }: BoardsView) {
	return (
		<EmptyState icon="search" title="No board matches">
			<p>
				{counts.all > 0
					? 'No board has this status at the moment. '
					: 'Shorten the search or choose another type. '}
				<a href="/boards">Show all boards</a>
			</p>
		</EmptyState>
	);
}

function BoardName({ id, name, description }: Board) {
	return (
		<>
			<a class="row-link" href={`/boards/${encodeURIComponent(id)}`}>
				<strong>
					<Name>{name}</Name>
				</strong>
			</a>
			{description && (
				<p class="muted small">
					<Name>{description}</Name>
				</p>
			)}
		</>
	);
}

function NoBoards({ admin }: { admin: boolean }) {
	return (
		<EmptyState icon="board" title="There are no boards yet">
			{admin ? (
				<p>
					<a href="/admin/boards">Import your boards</a> to see them here.
				</p>
			) : (
				<p>As soon as the operator adds boards, they appear here.</p>
			)}
		</EmptyState>
	);
}

function keptIn({ sort, pageSize }: BoardsView) {
	return { sort: sortText(sort, boardSorts), size: sizeText(pageSize) };
}

function pageText({ page }: BoardsView) {
	return page === 1 ? undefined : String(page);
}

/** The current view with a change, on its first page. */
function hrefOf(view: BoardsView, change: Record<string, string | undefined>) {
	const { text, board_type, status } = view;
	return withQuery('/boards', { q: text, board_type, status, ...keptIn(view), ...change });
}
