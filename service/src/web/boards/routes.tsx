// The pages about boards. The address alone chooses what the list shows, so it can be shared.
import { boardStatuses } from 'board-access-contract';
import { listBaseImages } from '../../base-images/store.ts';
import { boardSorts, countBoardsByStatus, findBoard, searchBoards } from '../../boards/search.ts';
import { listBoardTypes } from '../../boards/store.ts';
import { now } from '../../database/time.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { readPage } from '../elements/pager.tsx';
import { readSort } from '../elements/sort.ts';
import { readLine } from '../form.ts';
import type { Pages } from '../pages.tsx';
import { BoardPage } from './board-page.tsx';
import { BoardsPage, type BoardsView } from './boards-page.tsx';

export function boardPages(
	app: ServiceApp,
	{ database: { query }, limits, settings }: Pick<Parts, 'database' | 'limits' | 'settings'>,
	{ forMembers }: Pages,
) {
	app.get(
		'/boards',
		forMembers(async ({ c, account }) => {
			const search = readSearch(c);
			if (search.text) await limits.search(account.id);
			const counts = await countBoardsByStatus(query, search);
			const total = search.status ? counts[search.status] : counts.all;
			const { slice, ...choice } = readPage(c.req.query(), total);
			const view: BoardsView = {
				...search,
				...choice,
				boards: await searchBoards(query, search, { ...search.sort, ...slice }),
				types: await listBoardTypes(query),
				counts,
				at: now(),
				baseUrl: settings.baseUrl,
				admin: account.role === 'admin',
			};
			return { title: 'Boards', main: <BoardsPage {...view} /> };
		}),
	);

	app.get(
		'/boards/:id',
		forMembers(async ({ c, account }) => {
			const board = await findBoard(query, c.req.param('id') ?? '');
			if (!board) throw new ApiError('board_not_found', 'There is no such board.');
			const images = await listBaseImages(query);
			const main = (
				<BoardPage
					board={board}
					images={images.filter(({ board_type }) => board_type === board.board_type)}
					at={now()}
					baseUrl={settings.baseUrl}
					admin={account.role === 'admin'}
				/>
			);
			return { title: board.name, main };
		}),
	);
}

function readSearch(c: ServiceContext) {
	return {
		text: readLine(c, 'q'),
		board_type: readLine(c, 'board_type') || undefined,
		status: boardStatuses.find((status) => status === c.req.query('status')),
		sort: readSort(c.req.query('sort'), boardSorts),
	};
}
