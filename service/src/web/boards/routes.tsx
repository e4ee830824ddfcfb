// The pages about boards. The address alone chooses what the list shows, so it can be shared.
import { boardStatuses, lease } from 'board-access-contract';
import { listBaseImages } from '../../base-images/store.ts';
import { boardSorts } from '../../boards/search.ts';
import { baseStatusOf, findBoard, noSuchBoard } from '../../boards/store.ts';
import { now } from '../../database/time.ts';
import type { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { findWaitingLease } from '../../leases/store.ts';
import type { Parts } from '../../parts.ts';
import { bodyOf, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { readSearch } from '../elements/list.tsx';
import { readForm, readLine } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { BoardPage } from './board-page.tsx';
import { BoardsPage } from './boards-page.tsx';
import { createViewReader } from './view.ts';

/** How long a visitor stays in the queue. */
const queueSeconds = 600;

export function boardPages(app: ServiceApp, { forMembers }: Pages, parts: Pick<Parts, 'database'>) {
	const readView = createViewReader(parts.database);
	app.get(
		'/boards',
		forMembers((visit) => list(visit, readView)),
	);
	app.get(
		'/boards/:id',
		forMembers((visit) => show(visit)),
	);
	app.post('/boards/:id/use', forMembers(use));
}

async function list(
	{ c, account, parts: { limits, settings } }: MemberVisit,
	readView: ReturnType<typeof createViewReader>,
) {
	const search = readBoardSearch(c);
	if (search.text) await limits.search(account.id);
	return limits.costlyRead(account.id, async () => {
		const view = await readView(search, c.req.query());
		const about = { at: now(), baseUrl: settings.baseUrl, admin: account.role === 'admin' };
		return { title: 'Boards', main: <BoardsPage {...search} {...view} {...about} /> };
	});
}

function readBoardSearch(c: ServiceContext) {
	return {
		...readSearch(c, boardSorts),
		board_type: readLine(c, 'board_type') || undefined,
		status: boardStatuses.find((status) => status === c.req.query('status')),
	};
}

async function show({ c, account, parts }: MemberVisit, error?: ApiError) {
	const { query } = parts.database;
	const owned = { accountId: account.id, id: c.req.param('id') ?? '' };
	const board = await findBoard(query, owned);
	if (!board) throw noSuchBoard();
	const main = (
		<BoardPage
			board={board}
			images={await listBaseImages(query, board.board_type)}
			waitingId={await findWaitingLease(query, { accountId: account.id, boardId: board.id })}
			error={error}
			at={now()}
			baseUrl={parts.settings.baseUrl}
			baseStatus={account.role === 'admin' ? await baseStatusOf(query, board.id) : undefined}
		/>
	);
	return { title: board.name, main };
}

async function use(visit: MemberVisit) {
	const { minutes, token } = await readForm(visit.c, ['minutes', 'token']);
	const wanted = { board_id: visit.c.req.param('id'), minutes: Number(minutes) };
	const sent = { json: { ...wanted, wait_seconds: queueSeconds }, key: formKey(token) };
	return submitForm({
		change: async () => {
			const { id } = await bodyOf(await requestApi(visit, 'POST', '/leases', sent), lease);
			return goTo(visit.c, `/leases/${id}`);
		},
		again: (error) => show(visit, error),
		sentences: { minutes: 'Enter a whole number of minutes from 1 to 1440.' },
		done: 'started a lease with other minutes',
	});
}
