// The boards at a glance.
import type { BoardCounts, boardSorts, searchBoards } from '../../boards/search.ts';
import { callOf, literal } from '../elements/calls.ts';
import { EmptyState } from '../elements/empty-state.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Pager } from '../elements/pager.tsx';
import { SameCall } from '../elements/same-call.tsx';
import { type Sort, sortLink } from '../elements/sort.ts';
import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import { withQuery } from '../local-path.ts';
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

export const BoardsPage = (view: BoardsView) => {
	const { boards, counts, types, total, page, pageSize, sort } = view;
	const hrefOf = (change: Record<string, string | undefined>) =>
		withQuery('/boards', { ...addressOf(view), ...change });
	const sorted = (name: (typeof boardSorts)[number]) =>
		sortLink(name, sort, (wish) => hrefOf({ sort: wish }));
	return (
		<>
			<PageHead
				title="Boards"
				lead="The hardware of this service, and what it is doing right now."
			/>
			{types.length === 0 ? (
				<NoBoards admin={view.admin} />
			) : (
				<div data-live-filter>
					<BoardFilters {...view} hrefOf={hrefOf} />
					<div data-live-results>
						<output class="unseen">{`${total.toLocaleString('en')} boards match`}</output>
						{boards.length === 0 ? (
							<EmptyState icon="search" title="No board matches">
								<p>
									{counts.all > 0
										? 'None with this status just now. '
										: 'Search for less, or for another type. '}
									<a href="/boards">Show all boards</a>
								</p>
							</EmptyState>
						) : (
							<Table
								caption="Boards"
								rows={boards}
								columns={[
									{ label: 'Board', cell: BoardName, sort: sorted('name'), class: 'main-cell' },
									{
										label: 'Status',
										cell: ({ status }) => <StatusBadge status={status} />,
										class: 'bare',
										sort: sorted('status'),
									},
									{
										label: 'Type',
										cell: ({ board_type }) => <code>{board_type}</code>,
										class: 'bare',
										sort: sorted('board_type'),
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
						)}
						<Pager
							page={page}
							pageSize={pageSize}
							total={total}
							hrefOf={(number) => hrefOf({ ...sortOf(sort), page: String(number) })}
						/>
						<SameCall
							call={boardsCall(view)}
							note={
								view.text
									? 'The API filters by type and status. The search is done on this page only.'
									: undefined
							}
						/>
					</div>
				</div>
			)}
		</>
	);
};

const BoardName = ({ id, name, description }: Board) => (
	<>
		<strong>{name}</strong> <code class="muted small">{id}</code>
		{description && <p class="muted small">{description}</p>}
	</>
);

const Tags = ({ tags }: Board) => {
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
};

const NoBoards = ({ admin }: { admin: boolean }) => (
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

/** The present filter as a query, without the page: another filter starts on the first one. */
const addressOf = ({ text, board_type, status, sort }: BoardsView) => ({
	q: text,
	board_type,
	status,
	...sortOf(sort),
});

const sortOf = ({ by, descending }: BoardsView['sort']) => ({
	sort: by === 'name' && !descending ? undefined : `${descending ? '-' : ''}${by}`,
});

const boardsCall = ({ baseUrl, board_type, status }: BoardsView) => {
	const filter = { boardType: board_type, status };
	return callOf({
		baseUrl,
		path: withQuery('/v1/boards', { board_type, status }),
		cli: [
			...['boards', 'list'],
			...(board_type ? ['--type', board_type] : []),
			...(status ? ['--status', status] : []),
		],
		typescript: `const boards = await client.boards.list(${board_type || status ? literal(filter) : ''});`,
	});
};
