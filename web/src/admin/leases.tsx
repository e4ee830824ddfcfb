// The leases of every account, for administrators, who can end them.
import { accessTo, pageOfLeases, readableLease, run } from 'board-access-core';
import { readId } from 'board-access-http/read';
import { ButtonLink } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import { BoardLink, Name, NameLink, Time } from '../elements/text.tsx';
import { LeaseList, leaseColumns } from '../leases/lease-list.tsx';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';

const path = '/admin/leases';

export function leaseAdminPages({ admins }: Pages) {
	admins.get(path, list);
	admins.get(`${path}/:id/end`, askToEnd);
	admins.post(`${path}/:id/end`, end);
}

type Leases = Awaited<ReturnType<typeof pageOfLeases>>;
type AdminLease = Leases['data'][number];

async function list({ c, services, account }: MemberVisit) {
	const { query } = services.database;
	const { board: boardId, cursor } = c.req.query();
	const asked = { accountId: account.id, boardId, cursor };
	const { data, ...page } = await pageOfLeases(query, asked);
	const main = (
		<LeaseList
			{...page}
			caption="All leases"
			path={withQuery(path, { board: boardId })}
			leases={data}
			columns={columnsWith(page.names)}
		>
			<p>A lease appears here when someone uses a board.</p>
		</LeaseList>
	);
	const lead = `The leases of every account${boardId ? ' on this board' : ''}, live ones first.`;
	return { title: 'All leases', lead, main };
}

function columnsWith(names: Leases['names']) {
	const nameOf = ({ board_id, board_type }: AdminLease) =>
		names.get(board_id ?? '') ?? board_id ?? board_type;
	const boardOf = (lease: AdminLease) => {
		const id = lease.board_id ?? '';
		const name = nameOf(lease);
		return (
			<strong>{names.has(id) ? <BoardLink id={id} name={name} /> : <Name>{name}</Name>}</strong>
		);
	};
	const accountOf = ({ account_id: id }: AdminLease) => (
		<NameLink href={`/admin/accounts/${id}`} name={names.get(id) ?? id} />
	);
	const endOf = (lease: AdminLease) => {
		const { id, status, end_message } = lease;
		const what = `the lease of ${nameOf(lease)}`;
		return status === 'ended' ? (
			<span class="small">
				<Name>{end_message ?? ''}</Name>
			</span>
		) : (
			<span class="actions">
				<ButtonLink href={`/leases/${id}`} text="Watch" label={`Watch ${what}`} />
				<ButtonLink href={`${path}/${id}/end`} text="End" look="danger" label={`End ${what}`} />
			</span>
		);
	};
	return [
		{ label: 'Board', cell: boardOf, class: 'main-cell' },
		{ label: 'Account', cell: accountOf },
		...leaseColumns,
		{ label: 'End', cell: endOf, class: 'end' },
	];
}

async function askToEnd(visit: MemberVisit) {
	const { c, services, account, caller } = visit;
	const { query } = services.database;
	const { lease, access } = await accessTo(query, { ...caller, id: readId(c) }, 'look');
	if (lease.status === 'ended') return goTo(c, path, 'lease-ended');
	const { holder_email } = await readableLease(query, lease, access);
	return ask(visit, {
		title: 'End this lease?',
		lead: 'The account loses the board immediately, and pays for the minutes until now.',
		facts: [
			['Account', holder_email ?? account.email],
			['Board', <code>{lease.board_id ?? lease.board_type}</code>],
			['Started', <Time at={lease.created_at} />],
			['Identifier', <code>{lease.id}</code>],
		],
		cancel: path,
		submit: 'End lease',
	});
}

async function end({ c, services, caller }: MemberVisit) {
	await run(services, caller, 'endLease', () => ({ ids: { id: readId(c) } }));
	return goTo(c, path, 'lease-ended');
}
