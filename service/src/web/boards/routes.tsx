// The pages about boards. The address alone chooses what the list shows, so it can be shared.
import { lease } from 'board-access-contract';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { bodyOf, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { showBoard } from './board-page.tsx';
import { listBoards } from './boards-page.tsx';
import { createViewReader } from './view.ts';

/** How long a visitor stays in the queue. */
const queueSeconds = 600;

export function boardPages(app: ServiceApp, { forMembers }: Pages, { database }: Parts) {
	const readView = createViewReader(database);
	app.get(
		'/boards',
		forMembers((visit) => listBoards(visit, readView)),
	);
	app.get(
		'/boards/:id',
		forMembers((visit) => showBoard(visit)),
	);
	app.post('/boards/:id/use', forMembers(use));
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
		again: (error) => showBoard(visit, error),
		sentences: { minutes: 'Enter a whole number of minutes from 1 to 1440.' },
		done: 'started a lease with other minutes',
	});
}
