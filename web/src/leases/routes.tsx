// The addresses of the pages of leases, and the lists of leases and of the steps of one.

import { lease, leaseAction, pageOf } from 'board-access-contract';
import { boardNames, shownActions, timeIn, withStarts } from 'board-access-core';
import { readApi } from '../api.ts';
import { HeldCredits } from '../elements/bar.tsx';
import { Back, Button, ButtonLink } from '../elements/form.tsx';
import { Older, Table } from '../elements/list.tsx';
import { Clock, Name, Note, PageHead, StrongName } from '../elements/text.tsx';
import type { MemberVisit, Pages } from '../pages.tsx';
import { encodedPath, withQuery } from '../paths.ts';
import { downloadConsole, watchConsole } from './console-pages.tsx';
import {
	askToErase,
	chooseMail,
	drivePin,
	erase,
	flash,
	flashAgain,
	leave,
	release,
	renew,
	sendLine,
	share,
	start,
	unshare,
	useButton,
} from './forms.ts';
import { LeaseList, leaseColumns } from './lease-list.tsx';
import { showPicture } from './picture.ts';
import { follow, show } from './show.tsx';
import { EndReason, type Lease, liveStatuses } from './status.tsx';
import { stepOf } from './workbench/steps.tsx';

const pageSize = '50';
const mostShared = '200';

export function leasePages({ members }: Pages) {
	members.get('/leases', list);
	members.get('/leases/:id', show);
	members.get('/leases/:id/events', follow);
	members.get('/leases/:id/actions', listActions);
	members.get('/leases/:id/console.txt', downloadConsole);
	members.get('/leases/:id/picture', showPicture);
	members.post('/leases/:id/release', release);
	members.post('/leases/:id/renew', renew);
	members.post('/leases/:id/mail', chooseMail);
	members.post('/leases/:id/shares', share);
	members.post('/leases/:id/unshare', unshare);
	members.post('/leases/:id/leave', leave);
	members.post('/leases/:id/start', start);
	members.post('/leases/:id/actions', useButton);
	members.get('/leases/:id/erase', askToErase);
	members.post('/leases/:id/erase', erase);
	members.get('/leases/:id/console', watchConsole);
	members.post('/leases/:id/console', sendLine);
	members.post('/leases/:id/pins', drivePin);
	members.post('/leases/:id/flash', flash);
	members.post('/leases/:id/flash-again', flashAgain);
}

async function list(visit: MemberVisit) {
	const cursor = visit.c.req.query('cursor');
	const page = await readApi(
		visit,
		withQuery('/leases', { limit: pageSize, cursor }),
		pageOf(lease),
	);
	const shared = cursor ? [] : await readShared(visit);
	const boardIds = [...shared, ...page.data].flatMap(({ board_id }) => board_id ?? []);
	const names = await boardNames(visit.parts.database.query, boardIds);
	const boardOf = ({ id, board_id, board_type, label, access }: Lease) => (
		<>
			<a class="row-link" href={`/leases/${id}`}>
				<StrongName text={names.get(board_id ?? '') ?? board_id ?? board_type} />
			</a>
			<Note text={access === 'hold' ? label : shortened(label)} />
		</>
	);
	const board = { label: 'Board', cell: boardOf, class: 'main-cell' };
	const columns = [board, ...leaseColumns, { label: 'End', cell: endOf }];
	const main = (
		<LeaseList
			title="Leases"
			lead="The boards that you are using, and those that you used before. Consoles are kept for 24 hours."
			path="/leases"
			leases={page.data}
			columns={columns}
			next={page.next_cursor}
			at={timeIn(visit.parts.database.query)}
			above={
				<>
					<HeldCredits account={visit.account} />
					{shared.length > 0 && (
						<>
							<h2>Shared with you</h2>
							<Table
								caption="Leases that are shared with you"
								rows={shared}
								columns={[board, sharedBy, ...leaseColumns, { label: 'You can', cell: accessOf }]}
							/>
							<h2>Your leases</h2>
						</>
					)}
				</>
			}
		>
			<p>
				Choose a board and <strong>Use this board</strong>: it is then yours.
			</p>
			<p class="actions">
				<ButtonLink href="/boards?status=available" text="Choose a board" look="primary" />
			</p>
		</LeaseList>
	);
	return { title: 'Leases', main };
}

function endOf(lease: Lease) {
	const { status, expires_at } = lease;
	return status === 'active' && expires_at ? <Clock at={expires_at} /> : <EndReason {...lease} />;
}

async function readShared(visit: MemberVisit) {
	const path = withQuery('/leases', { shared: 'true', status: liveStatuses, limit: mostShared });
	return (await readApi(visit, path, pageOf(lease))).data;
}

const sharedBy = {
	label: 'Shared by',
	cell: ({ holder_email }: Lease) => <Name>{holder_email ?? ''}</Name>,
};

function accessOf({ id, access, holder_email }: Lease) {
	return (
		<form method="post" action={`/leases/${id}/leave`}>
			{access === 'type' ? 'Type' : 'Look'}{' '}
			<Button text="Leave" label={`Leave the lease of ${holder_email ?? 'a deleted account'}`} />
		</form>
	);
}

/** The label is of somebody else, who must not fill the page. */
function shortened(label: string | null) {
	return label?.replace(/^(.{60}).+/su, '$1…') ?? null;
}

/** The steps of a lease that has more of them than its page shows. */
async function listActions(visit: MemberVisit) {
	const path = encodedPath(visit.c, '/leases');
	const query = { limit: String(shownActions), cursor: visit.c.req.query('cursor') };
	const address = withQuery(`${path}/actions`, query);
	const { data, next_cursor } = await readApi(visit, address, pageOf(leaseAction));
	const id = visit.c.req.param('id') ?? '';
	const main = (
		<>
			<Back href={path} text="Lease" />
			<PageHead title="Steps" lead="In order, including those of the preparation." />
			<ol class="steps card">{withStarts(data).map((step) => stepOf(step, id))}</ol>
			<Older
				href={next_cursor && withQuery(`${path}/actions`, { cursor: next_cursor })}
				text="Later"
			/>
		</>
	);
	return { title: 'Steps', main };
}
