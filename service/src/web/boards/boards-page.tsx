// The list of boards.
import { boardStatuses } from 'board-access-contract';
import { boardSorts } from '../../boards/search.ts';
import { timeIn } from '../../database/clock.ts';
import { SameRequest } from '../elements/code.tsx';
import { AsOf, EmptyState, Table } from '../elements/list.tsx';
import { Choice, Matches, Pager, readList, SearchForm } from '../elements/search.tsx';
import { Note, PageHead, StrongName, Time, TypeLink } from '../elements/text.tsx';
import { readLine } from '../form.ts';
import type { MemberVisit } from '../pages.tsx';
import { boardsRequest } from './requests.ts';
import { StatusBadge, statusTabs, Tags } from './status.tsx';
import type { createViewReader } from './view.ts';

type ReadView = ReturnType<typeof createViewReader>;
type BoardsView = Awaited<ReturnType<typeof readBoards>>;
type Board = BoardsView['boards'][number];

async function readBoards({ c, parts }: MemberVisit, readView: ReadView) {
	const board_type = readLine(c, 'board_type') || undefined;
	const status = boardStatuses.find((status) => status === c.req.query('status'));
	const search = { ...readList(c, boardSorts, { board_type, status }), board_type, status };
	const view = await readView(search, c.req.query());
	/** When the boards were read. */
	const at = timeIn(parts.database.query);
	return { ...search, ...view, at, baseUrl: parts.settings.baseUrl };
}

export async function listBoards(visit: MemberVisit, readView: ReadView) {
	const { c, account, parts } = visit;
	if (readLine(c, 'q')) await parts.limits.search(account.id);
	return parts.limits.costlyRead(account.id, async () => {
		const view = await readBoards(visit, readView);
		return { title: 'Boards', main: boardsPage(view, account.role === 'admin') };
	});
}

function boardsPage(view: BoardsView, isAdmin: boolean) {
	const { text, board_type, types, kept } = view;
	return (
		<>
			<PageHead title="Boards" lead="The hardware of this service and its current status." />
			{types.length === 0 ? (
				<EmptyState icon="board" title="There are no boards yet">
					{isAdmin ? (
						<p>
							<a href="/admin/boards">Import your boards</a> to see them here.
						</p>
					) : (
						<p>As soon as the operator adds boards, they appear here.</p>
					)}
				</EmptyState>
			) : (
				<div data-live-filter data-live-seconds="15">
					<SearchForm
						action="/boards"
						label="Search boards"
						placeholder="Name, identifier, tag…"
						text={text}
						kept={{ ...kept, board_type: undefined }}
					>
						<Choice
							name="board_type"
							label="Type"
							all="All types"
							options={types.map((type) => [type, type])}
							chosen={board_type}
						/>
					</SearchForm>
					<div data-live-results>{results(view)}</div>
				</div>
			)}
		</>
	);
}

function results(view: BoardsView) {
	const { page, text, total, matching, counts, hrefOf } = view;
	const note = 'The API filters by type and status. The text search works on this page only.';
	const [all, listed] = [matching, total].map((count) => count.toLocaleString('en'));
	return (
		<>
			{statusTabs(counts, view.status, hrefOf)}
			<Matches total={matching} noun="board" />
			<AsOf at={view.at} href={hrefOf({ page: page === 1 ? undefined : String(page) })} />
			{view.boards.length > 0 ? (
				boardTable(view)
			) : (
				<EmptyState icon="search" title="No board matches">
					<p>
						{counts.all > 0
							? 'No board has this status at the moment. '
							: 'Shorten the search or choose another type. '}
						<a href="/boards">Show all boards</a>
					</p>
				</EmptyState>
			)}
			<Pager {...view} />
			{matching > total && (
				<p class="muted">
					{`${all} boards match, and the first ${listed} are listed. Search, filter or sort to see the others.`}
				</p>
			)}
			<SameRequest examples={boardsRequest(view.baseUrl, view)} note={text ? note : undefined} />
		</>
	);
}

function boardTable({ boards, sorted }: BoardsView) {
	const statusOf = ({ status }: Board) => <StatusBadge status={status} />;
	const typeOf = ({ board_type }: Board) => <TypeLink type={board_type} plain />;
	const updateOf = ({ updated_at }: Board) => <Time at={updated_at} />;
	return (
		<Table
			caption="Boards"
			rows={boards}
			columns={[
				{ label: 'Board', cell: BoardName, sort: sorted('name'), class: 'main-cell' },
				{ label: 'Status', cell: statusOf, sort: sorted('status'), class: 'bare' },
				{ label: 'Type', cell: typeOf, sort: sorted('board_type'), class: 'bare type-cell' },
				{ label: 'Tags', cell: Tags, class: 'bare tags-cell' },
				{ label: 'Updated', cell: updateOf, sort: sorted('updated_at'), class: 'muted' },
			]}
		/>
	);
}

function BoardName({ id, name, description, keeps_firmware }: Board) {
	return (
		<>
			<a class="row-link" href={`/boards/${encodeURIComponent(id)}`}>
				<StrongName text={name} />
			</a>
			<Note text={description} />
			{keeps_firmware && <Note text="Keeps earlier firmware" />}
		</>
	);
}
