// The list of boards. The address alone chooses what it shows, so it can be shared.

import {
	type BoardSearch,
	boardSorts,
	type Core,
	countBoardsByStatus,
	listBoardTypes,
	readBoardsRevision,
	readUses,
	searchBoards,
} from 'board-access-core';
import { createRevisionCache } from 'board-access-http/revision-cache';
import { SameRequest } from '../elements/code.tsx';
import { AsOf, EmptyState } from '../elements/list.tsx';
import { Choice, readList, readPage, SearchedList, type Sort } from '../elements/search.tsx';
import { readLine } from '../form.ts';
import type { MemberVisit, Pages, Services } from '../pages.tsx';
import { showBoard, useBoard } from './board-page.tsx';
import { boardColumns } from './board-row.tsx';
import { boardsRequest } from './requests.ts';
import { type BoardStatus, statuses, statusTabs } from './status.tsx';
import { isOwn } from './uses.ts';

export function boardPages({ members }: Pages, { database }: Services) {
	const readView = createViewReader(database);
	members.get('/boards', (visit) => showBoards(visit, readView));
	members.get('/boards/:id', showBoard);
	members.post('/boards/:id/use', useBoard);
}

/** A page further down costs more than anybody reads; the opposite order shows the end of the list. */
const maxListed = 10_000;

interface Search extends BoardSearch {
	status: BoardStatus | undefined;
	sort: Sort<(typeof boardSorts)[number]>;
}

/** Reads what the page shows, and keeps it in memory until the boards change. */
function createViewReader({ query, reader }: Core['database']) {
	const read = async ({ sort, status, ...others }: Search, page: string | undefined) => {
		const counts = await countBoardsByStatus(reader, others);
		const matching = counts[status ?? 'all'];
		const { slice, ...choice } = readPage({ page }, Math.min(matching, maxListed));
		const boards = await searchBoards(reader, { ...others, status }, { ...sort, ...slice });
		return { choice, matching, boards, counts, types: await listBoardTypes(reader) };
	};
	type View = Awaited<ReturnType<typeof read>>;
	const views = createRevisionCache<View>((view) => JSON.stringify(view).length, 8_000_000);
	return async (search: Search, page: string | undefined) => {
		const key = JSON.stringify([search, page]);
		return views.get(key, await readBoardsRevision(query), () => read(search, page));
	};
}

type ReadView = ReturnType<typeof createViewReader>;

async function showBoards(visit: MemberVisit, readView: ReadView) {
	const { c, account, services } = visit;
	if (readLine(c, 'q')) await services.limits.search(account.id);
	const main = await services.limits.costlyRead(account.id, () => boardList(visit, readView));
	return { title: 'Boards', main };
}

async function boardList(visit: MemberVisit, readView: ReadView) {
	const { c, account, services, caller } = visit;
	const board_type = readLine(c, 'board_type') || undefined;
	const status = statuses.find((status) => status === c.req.query('status'));
	const list = readList(c, boardSorts, { board_type, status });
	const { text, sort, sorted, hrefOf } = list;
	const view = await readView({ text, board_type, status, sort }, c.req.query('page'));
	const { choice, matching, types } = view;
	if (types.length === 0) return noBoards(account.role === 'admin');
	const { query, clock } = services.database;
	const { uses, names } = await readUses(query, caller, view.boards);
	const viewer = { account, names };
	const page = choice.page === 1 ? undefined : String(choice.page);
	return (
		<div class="board-list">
			<h1>Boards</h1>
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
					<div class="board-tabs">
						{statusTabs(view.counts, status, hrefOf)}
						<AsOf at={clock.now()} href={hrefOf({ page })} />
					</div>
				}
				rows={uses}
				rowClass={(use) => (isOwn(use, viewer) ? 'own' : undefined)}
				columns={boardColumns({ viewer, sorted })}
				below={
					<>
						{matching > choice.total && <Unlisted matching={matching} listed={choice.total} />}
						<SameRequest
							examples={boardsRequest(services.settings.baseUrl, { board_type, status })}
							note={text ? onlyHere : undefined}
						/>
					</>
				}
			/>
		</div>
	);
}

const onlyHere = 'The API filters by type and status. Searches work on this page only.';

function Unlisted({ matching, listed }: Record<'matching' | 'listed', number>) {
	const [all, first] = [matching, listed].map((count) => count.toLocaleString('en'));
	return (
		<p class="muted">
			{`${all} boards match, and the first ${first} are listed. Search, filter or sort to see the others.`}
		</p>
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
