// The list of boards. The address alone chooses what it shows, so it can be shared.
import { boardStatuses } from 'board-access-contract';
import {
	type BoardCounts,
	type BoardSearch,
	type BoardSlice,
	boardSorts,
	countBoardsByStatus,
	searchBoards,
} from '../../boards/search.ts';
import { type BoardRecord, listBoardTypes } from '../../boards/store.ts';
import { timeIn } from '../../database/clock.ts';
import type { Database } from '../../database/database.ts';
import { createRevisionCache, readBoardsRevision } from '../../database/revisions.ts';
import type { Parts } from '../../parts.ts';
import { SameRequest } from '../elements/code.tsx';
import { AsOf, EmptyState } from '../elements/list.tsx';
import { Choice, readList, readPage, SearchedList, type Sort } from '../elements/search.tsx';
import { Note, PageHead, StrongName, Time, TypeLink } from '../elements/text.tsx';
import { readLine } from '../form.ts';
import type { MemberVisit, Pages } from '../pages.tsx';
import { showBoard, useBoard } from './board-page.tsx';
import { boardsRequest } from './requests.ts';
import { StatusBadge, statusTabs, Tags } from './status.tsx';

export function boardPages({ members }: Pages, { database }: Parts) {
	const readView = createViewReader(database);
	members.get('/boards', (visit) => showBoards(visit, readView));
	members.get('/boards/:id', showBoard);
	members.post('/boards/:id/use', useBoard);
}

/** A page further down costs more than anybody reads; the opposite order shows the end of the list. */
const mostListed = 10_000;

interface Search extends BoardSearch {
	sort: Sort<BoardSlice['by']>;
}

type PageQuery = Parameters<typeof readPage>[0];

/** Reads what the page shows, and keeps it in memory until the boards change. */
function createViewReader({ query, reader }: Database) {
	const pages = createRevisionCache<BoardRecord[]>(
		(boards) => JSON.stringify(boards).length,
		4_000_000,
	);
	const counts = createRevisionCache<BoardCounts>(() => 200, 200_000);
	const types = createRevisionCache<string[]>((names) => names.join().length, 4_000_000);

	return async ({ sort, ...search }: Search, asked: PageQuery) => {
		const revision = await readBoardsRevision(query);
		const { text, board_type, status } = search;
		const counted = await counts.get(JSON.stringify([text, board_type]), revision, () =>
			countBoardsByStatus(reader, search),
		);
		const total = status ? counted[status] : counted.all;
		const { slice, ...choice } = readPage(asked, Math.min(total, mostListed));
		const key = JSON.stringify([search, sort, slice]);
		const boards = await pages.get(key, revision, () =>
			searchBoards(reader, search, { ...sort, ...slice }),
		);
		const allTypes = await types.get('', revision, () => listBoardTypes(reader));
		return { choice, matching: total, boards, types: allTypes, counts: counted };
	};
}

type ReadView = ReturnType<typeof createViewReader>;

async function showBoards(visit: MemberVisit, readView: ReadView) {
	const { c, account, parts } = visit;
	if (readLine(c, 'q')) await parts.limits.search(account.id);
	const list = await parts.limits.costlyRead(account.id, () => boardList(visit, readView));
	const main = (
		<>
			<PageHead title="Boards" lead="The hardware of this service and its current status." />
			{list}
		</>
	);
	return { title: 'Boards', main };
}

async function boardList({ c, account, parts }: MemberVisit, readView: ReadView) {
	const board_type = readLine(c, 'board_type') || undefined;
	const status = boardStatuses.find((status) => status === c.req.query('status'));
	const list = readList(c, boardSorts, { board_type, status });
	const { text, sort, sorted, hrefOf } = list;
	const view = await readView({ text, board_type, status, sort }, c.req.query());
	const { choice, matching, types } = view;
	if (types.length === 0) return noBoards(account.role === 'admin');
	const note = 'The API filters by type and status. The text search works on this page only.';
	const page = choice.page === 1 ? undefined : String(choice.page);
	const [all, listed] = [matching, choice.total].map((count) => count.toLocaleString('en'));
	return (
		<SearchedList
			{...choice}
			// The type is a field of the search.
			list={{ ...list, kept: { ...list.kept, board_type: undefined } }}
			noun="board"
			placeholder="Name, identifier, tag…"
			caption="Boards"
			seconds={15}
			filter={
				<Choice
					name="board_type"
					label="Type"
					all="All types"
					options={types.map((type) => [type, type])}
					chosen={board_type}
				/>
			}
			above={
				<>
					{statusTabs(view.counts, status, hrefOf)}
					<AsOf at={timeIn(parts.database.query)} href={hrefOf({ page })} />
				</>
			}
			rows={view.boards}
			columns={[
				{ label: 'Board', cell: BoardName, sort: sorted('name'), class: 'main-cell' },
				{ label: 'Status', cell: StatusBadge, sort: sorted('status'), class: 'bare' },
				{ label: 'Type', cell: TypeCell, sort: sorted('board_type'), class: 'bare type-cell' },
				{ label: 'Tags', cell: Tags, class: 'bare tags-cell' },
				{ label: 'Updated', cell: UpdatedCell, sort: sorted('updated_at'), class: 'muted' },
			]}
			below={
				<>
					{matching > choice.total && (
						<p class="muted">
							{`${all} boards match, and the first ${listed} are listed. Search, filter or sort to see the others.`}
						</p>
					)}
					<SameRequest
						examples={boardsRequest(parts.settings.baseUrl, { board_type, status })}
						note={text ? note : undefined}
					/>
				</>
			}
		/>
	);
}

function noBoards(isAdmin: boolean) {
	return (
		<EmptyState icon="board" title="There are no boards yet">
			{isAdmin ? (
				<p>
					<a href="/admin/boards">Import your boards</a> to see them here.
				</p>
			) : (
				<p>As soon as the operator adds boards, they appear here.</p>
			)}
		</EmptyState>
	);
}

function BoardName({ id, name, description, keeps_firmware }: BoardRecord) {
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

function TypeCell({ board_type }: BoardRecord) {
	return <TypeLink type={board_type} plain />;
}

function UpdatedCell({ updated_at }: BoardRecord) {
	return <Time at={updated_at} />;
}
