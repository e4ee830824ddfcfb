// The boards: searched, filtered and ordered by the address alone, so that it can be shared.
import { boardStatuses } from 'board-access-contract';
import { boardSorts, countBoardsByStatus, searchBoards } from '../../boards/search.ts';
import { listBoardTypes } from '../../boards/store.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { readPage } from '../elements/pager.tsx';
import { readSort } from '../elements/sort.ts';
import { readLine } from '../form.ts';
import type { Pages } from '../page.tsx';
import { BoardsPage, type BoardsView } from './list.tsx';

const pageSize = 50;

export function boardPages(
	app: ServiceApp,
	{ database: { query }, limits, settings }: Parts,
	{ forMembers }: Pages,
) {
	app.get(
		'/boards',
		forMembers(async ({ c, account }) => {
			const wish = readWish(c);
			if (wish.text) await limits.search(account.id);
			const counts = await countBoardsByStatus(query, wish);
			const total = wish.status ? counts[wish.status] : counts.all;
			const { page, slice } = readPage(c.req.query('page'), { total, pageSize });
			const view: BoardsView = {
				...wish,
				boards: await searchBoards(query, wish, { ...wish.sort, ...slice }),
				types: await listBoardTypes(query),
				counts,
				total,
				page,
				pageSize,
				baseUrl: settings.baseUrl,
				admin: account.role === 'admin',
			};
			return { title: 'Boards', main: <BoardsPage {...view} /> };
		}),
	);
}

function readWish(c: ServiceContext) {
	return {
		text: readLine(c, 'q'),
		board_type: readLine(c, 'board_type') || undefined,
		status: boardStatuses.find((status) => status === c.req.query('status')),
		sort: readSort(c.req.query('sort'), boardSorts),
	};
}
