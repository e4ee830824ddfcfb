// The pages about boards. The address alone chooses what the list shows, so it can be shared.
import { lease } from 'board-access-contract';
import type { Parts } from '../../parts.ts';
import { bodyOf, requestApi } from '../api.ts';
import { formKey } from '../elements/form.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { showBoard } from './board-page.tsx';
import { listBoards } from './boards-page.tsx';
import { createViewReader } from './view.ts';

/** How long a visitor stays in the queue. */
const queueSeconds = 600;

export function boardPages({ members }: Pages, { database }: Parts) {
	const readView = createViewReader(database);
	members.get('/boards', (visit) => listBoards(visit, readView));
	members.get('/boards/:id', showBoard);
	members.post('/boards/:id/use', use);
}

const use = onSubmit({
	fields: ['minutes', 'token'],
	change: async (visit: MemberVisit, { minutes, token }) => {
		const wanted = { board_id: visit.c.req.param('id'), minutes: Number(minutes) };
		const sent = { json: { ...wanted, wait_seconds: queueSeconds }, key: formKey(token) };
		const { id } = await bodyOf(await requestApi(visit, 'POST', '/leases', sent), lease);
		return goTo(visit.c, `/leases/${id}`);
	},
	again: showBoard,
	sentences: { minutes: 'Enter a whole number of minutes from 1 to 1440.' },
	done: 'started a lease with other minutes',
});
