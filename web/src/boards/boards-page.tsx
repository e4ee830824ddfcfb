// The list of boards. The address alone chooses what it shows, so it can be shared.
import {
	type BoardFilter,
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
import { Choice, readList, SearchedList } from '../elements/search.tsx';
import { readLine } from '../form.ts';
import type { MemberVisit, Pages, Services } from '../pages.tsx';
import { showBoard, useBoard } from './board-page.tsx';
import { boardColumns } from './board-row.tsx';
import { boardsRequest } from './requests.ts';
import { statuses, statusTabs } from './status.tsx';
import { isOwn } from './uses.ts';

export function boardPages({ members }: Pages, { database }: Services) {
	const readView = createViewReader(database);
	members.get('/boards', (visit) => showBoards(visit, readView));
	members.get('/boards/:id', showBoard);
	members.post('/boards/:id/use', useBoard);
}

type Search = BoardFilter & Parameters<typeof searchBoards>[2];

/** Reads the list, and keeps it in memory until the boards change. */
function createViewReader({ query, reader }: Core['database']) {
	const read = async (search: Search) => {
		const { status: _, ...others } = search;
		const counts = await countBoardsByStatus(reader, others);
		const found = await searchBoards(reader, search, search);
		return { ...found, counts, types: await listBoardTypes(reader) };
	};
	type View = Awaited<ReturnType<typeof read>>;
	const views = createRevisionCache<View>((view) => JSON.stringify(view).length, 8_000_000);
	return async (search: Search) =>
		views.get(JSON.stringify(search), await readBoardsRevision(query), () => read(search));
}

type ReadView = ReturnType<typeof createViewReader>;

async function showBoards(visit: MemberVisit, readView: ReadView) {
	const { account, services } = visit;
	const main = await services.limits.costlyRead(account.id, () => boardList(visit, readView));
	return { title: 'Boards', main };
}

async function boardList(visit: MemberVisit, readView: ReadView) {
	const { c, account, services, caller } = visit;
	const board_type = readLine(c, 'board_type') || undefined;
	const status = statuses.find((status) => status === c.req.query('status'));
	const sort = c.req.query('sort') === 'price' ? 'price' : undefined;
	const list = readList(c, { board_type, status, sort });
	const { text, page, hrefOf } = list;
	const view = await readView({ text, board_type, status, order: sort, ...page });
	if (view.types.length === 0) return noBoards(account.role === 'admin');
	const { query, clock } = services.database;
	const { uses, names } = await readUses(query, caller, view.data);
	const viewer = { account, names };
	return (
		<div class="board-list stack">
			<h1>Boards</h1>
			<SearchedList
				list={list}
				kept={{ status }}
				noun="board"
				placeholder="Name, identifier, tag…"
				caption="Boards"
				seconds={15}
				fields={
					<>
						<Choice
							name="board_type"
							label="Type"
							all="All types"
							options={view.types.map((type) => [type, type])}
							chosen={board_type}
						/>
						<Choice
							name="sort"
							label="Order"
							all="By name"
							options={[['price', 'Cheapest first']]}
							chosen={sort}
						/>
					</>
				}
				above={
					<div class="group-head">
						{statusTabs(view.counts, status, hrefOf)}
						<AsOf at={clock.now()} href={hrefOf({ cursor: page.cursor })} />
					</div>
				}
				rows={uses}
				next={view.next_cursor}
				rowClass={(use) => (isOwn(use, viewer) ? 'own' : undefined)}
				columns={boardColumns(viewer)}
				below={
					<SameRequest
						examples={boardsRequest(services.settings.baseUrl, { board_type, status })}
						note={text ? onlyHere : undefined}
					/>
				}
			/>
		</div>
	);
}

const onlyHere = 'The API filters by type and status. Searches work on this page only.';

function noBoards(isAdmin: boolean) {
	return (
		<EmptyState icon="board" title="There are no boards yet">
			{isAdmin ? (
				<p>
					<a href="/admin/boards">Add your boards</a> to see them here.
				</p>
			) : (
				<p>As soon as the operator adds boards, they appear here.</p>
			)}
		</EmptyState>
	);
}
