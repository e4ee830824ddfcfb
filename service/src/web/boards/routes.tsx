// The pages about boards. The address alone chooses what the list shows, so it can be shared.
import { boardStatuses, lease } from 'board-access-contract';
import { listBaseImages } from '../../base-images/store.ts';
import { boardSorts } from '../../boards/search.ts';
import { baseStatusOf, findBoard, noSuchBoard } from '../../boards/store.ts';
import { now } from '../../database/time.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { findWaitingLease } from '../../leases/store.ts';
import type { Parts } from '../../parts.ts';
import { readApi } from '../api.ts';
import { formKey } from '../elements/form-token.tsx';
import { readSort } from '../elements/sort.ts';
import { inPlainWords, readForm, readLine, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { BoardPage } from './board-page.tsx';
import { BoardsPage, type BoardsView } from './boards-page.tsx';
import { createViewReader } from './view.ts';

export function boardPages(
	app: ServiceApp,
	{ database, limits, settings }: Pick<Parts, 'database' | 'limits' | 'settings'>,
	{ forMembers }: Pages,
) {
	const { query } = database;
	const readView = createViewReader(database);

	app.get(
		'/boards',
		forMembers(async ({ c, account }) => {
			const search = readSearch(c);
			if (search.text) await limits.search(account.id);
			return limits.costlyRead(account.id, async () => {
				const view: BoardsView = {
					...search,
					...(await readView(search, c.req.query())),
					at: now(),
					baseUrl: settings.baseUrl,
					admin: account.role === 'admin',
				};
				return { title: 'Boards', main: <BoardsPage {...view} /> };
			});
		}),
	);

	const show = async ({ c, account }: MemberVisit, error?: ApiError) => {
		const board = await findBoard(query, { accountId: account.id, id: c.req.param('id') ?? '' });
		if (!board) throw noSuchBoard();
		const images = await listBaseImages(query, board.board_type);
		const baseStatus = account.role === 'admin' ? await baseStatusOf(query, board.id) : undefined;
		const main = (
			<BoardPage
				board={board}
				images={images}
				waitingId={await findWaitingLease(query, { accountId: account.id, boardId: board.id })}
				error={error}
				at={now()}
				baseUrl={settings.baseUrl}
				baseStatus={baseStatus}
			/>
		);
		return { title: board.name, main };
	};

	app.get(
		'/boards/:id',
		forMembers((visit) => show(visit)),
	);

	app.post(
		'/boards/:id/use',
		forMembers(async (visit) => {
			const { c } = visit;
			const { minutes, token } = await readForm(c, ['minutes', 'token']);
			const json = {
				board_id: c.req.param('id'),
				minutes: Number(minutes),
				wait_seconds: queueSeconds,
			};
			const headers = { 'idempotency-key': formKey(token) };
			const request = { method: 'POST', path: '/leases', json, headers, schema: lease } as const;
			const done = await readApi(app, c, request).catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences, 'started a lease with other minutes');
				return refused(await show(visit, error), error);
			}
			return goTo(c, `/leases/${done.id}`);
		}),
	);
}

/** How long a visitor stays in the queue. */
const queueSeconds = 600;

const sentences = { minutes: 'Enter a whole number of minutes from 1 to 1440.' };

function readSearch(c: ServiceContext) {
	return {
		text: readLine(c, 'q'),
		board_type: readLine(c, 'board_type') || undefined,
		status: boardStatuses.find((status) => status === c.req.query('status')),
		sort: readSort(c.req.query('sort'), boardSorts),
	};
}
