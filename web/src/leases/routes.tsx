// The addresses of the pages of leases, and the list of leases.
import { pageOfOwnLeases } from 'board-access-core';
import { HeldCredits } from '../elements/bar.tsx';
import { Button, ButtonLink } from '../elements/form.tsx';
import { Table } from '../elements/list.tsx';
import { Clock, Name, Note, StrongName } from '../elements/text.tsx';
import type { MemberVisit, Pages } from '../pages.tsx';
import { downloadConsole } from './console-pages.tsx';
import { leave, release, renew, start } from './forms.ts';
import { showGroup } from './group.tsx';
import { LeaseList, leaseColumns } from './lease-list.tsx';
import { follow, show } from './show.tsx';
import { EndReason, type Lease } from './status.tsx';

export function leasePages({ members }: Pages) {
	members.get('/leases', list);
	members.get('/leases/:id', show);
	members.get('/leases/:id/group', showGroup);
	members.get('/leases/:id/events', follow);
	members.get('/leases/:id/console.txt', downloadConsole);
	members.post('/leases/:id/release', release);
	members.post('/leases/:id/renew', renew);
	members.post('/leases/:id/leave', leave);
	members.post('/leases/:id/start', start);
}

async function list({ c, services, account }: MemberVisit) {
	const { query } = services.database;
	const found = await pageOfOwnLeases(query, account.id, c.req.query('cursor'));
	const { data, shared, names, ...page } = found;
	const boardOf = ({ id, board_id, board_type, label, role, access }: Lease) => (
		<>
			<a class="row-link" href={`/leases/${id}`}>
				<StrongName text={names.get(board_id ?? '') ?? board_id ?? board_type} />
			</a>
			<Note text={access === 'hold' ? label : shortened(label)} />
			<Note text={role} />
		</>
	);
	const board = { label: 'Board', cell: boardOf, class: 'main-cell' };
	const columns = [board, ...leaseColumns, { label: 'End', cell: endOf }];
	const main = (
		<LeaseList
			{...page}
			caption="Leases"
			path="/leases"
			leases={data}
			columns={columns}
			above={
				<>
					<HeldCredits account={account} />
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
	const lead =
		'The boards that you are using, and those that you used before. Consoles are kept for 24 hours.';
	return { title: 'Leases', lead, main };
}

function endOf(lease: Lease) {
	const { status, expires_at } = lease;
	return status === 'active' && expires_at ? <Clock at={expires_at} /> : <EndReason {...lease} />;
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

/** Somebody else wrote the label, and must not be able to fill the page with it. */
function shortened(label: string | null) {
	return label?.replace(/^(.{60}).+/su, '$1…') ?? null;
}
