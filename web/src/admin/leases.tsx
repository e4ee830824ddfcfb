// The leases of every account, for administrators, who can end them.
import { adminLease, pageOf } from 'board-access-contract';
import { boardNames, noSuchLease, timeIn } from 'board-access-core';
import type * as z from 'zod/mini';
import { readApi, requestApi } from '../api.ts';
import { ButtonLink } from '../elements/form.tsx';
import { ask } from '../elements/question.tsx';
import { BoardLink, Name, NameLink, Time } from '../elements/text.tsx';
import { LeaseList, leaseColumns } from '../leases/lease-list.tsx';
import { liveStatuses } from '../leases/status.tsx';
import { goTo, type MemberVisit, type Pages } from '../pages.tsx';
import { encodedPath, withQuery } from '../paths.ts';

type AdminLease = z.output<typeof adminLease>;

const pageSize = '50';
const mostLive = '200';
const path = '/admin/leases';

export function leaseAdminPages({ admins }: Pages) {
	admins.get(path, list);
	admins.get(`${path}/:id/end`, askToEnd);
	admins.post(`${path}/:id/end`, end);
}

/** Live leases first, then those that have ended. */
async function list(visit: MemberVisit) {
	const cursor = visit.c.req.query('cursor');
	const read = (search: Record<string, string | undefined>) =>
		readApi(visit, withQuery(path, search), pageOf(adminLease));
	// Each status for itself, so that a long queue does not push the active ones out.
	const live = cursor ? [] : liveStatuses.map((status) => read({ status, limit: mostLive }));
	const ended = await read({ status: 'ended', limit: pageSize, cursor });
	const leases = [...(await Promise.all(live)), ended].flatMap(({ data }) => data);
	const main = (
		<LeaseList
			title="All leases"
			lead="The leases of every account, live ones first."
			path={path}
			leases={leases}
			columns={columnsWith(await namesOf(visit, leases))}
			next={ended.next_cursor}
			at={timeIn(visit.parts.database.query)}
		>
			<p>A lease appears here when someone uses a board.</p>
		</LeaseList>
	);
	return { title: 'All leases', main };
}

/** The names of boards and accounts by their identifiers. */
async function namesOf({ parts }: MemberVisit, leases: AdminLease[]) {
	const { query } = parts.database;
	const boardIds = leases.flatMap(({ board_id }) => board_id ?? []);
	const names = await boardNames(query, boardIds);
	const accountIds = leases.map(({ account_id }) => account_id);
	if (accountIds.length === 0) return names;
	const accounts = query.selectFrom('accounts').select(['id', 'email']);
	for (const { id, email } of await accounts.where('id', 'in', accountIds).execute()) {
		names.set(id, email);
	}
	return names;
}

function columnsWith(names: Map<string, string>) {
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
	const endOf = (lease: AdminLease) =>
		lease.status === 'ended' ? (
			<span class="small">
				<Name>{lease.end_message ?? ''}</Name>
			</span>
		) : (
			<span class="actions">
				<ButtonLink
					href={`/leases/${lease.id}`}
					text="Watch"
					label={`Watch the lease of ${nameOf(lease)}`}
				/>
				<ButtonLink
					href={`${path}/${lease.id}/end`}
					text="End"
					look="danger"
					label={`End the lease of ${nameOf(lease)}`}
					asks
				/>
			</span>
		);
	return [
		{ label: 'Board', cell: boardOf, class: 'main-cell' },
		{ label: 'Account', cell: accountOf },
		...leaseColumns,
		{ label: 'End', cell: endOf, class: 'end' },
	];
}

async function askToEnd(visit: MemberVisit) {
	const lease = await visit.parts.database.query
		.selectFrom('leases')
		.innerJoin('accounts', 'accounts.id', 'leases.account_id')
		.select(['leases.id', 'board_type', 'board_id', 'status', 'leases.created_at', 'email'])
		.where('leases.id', '=', visit.c.req.param('id') ?? '')
		.executeTakeFirst();
	if (!lease) throw noSuchLease();
	if (lease.status === 'ended') return goTo(visit.c, path, 'lease-ended');
	return ask(visit, {
		title: 'End this lease?',
		lead: 'The account loses the board immediately, and pays for the minutes until now.',
		facts: [
			['Account', lease.email],
			['Board', <code>{lease.board_id ?? lease.board_type}</code>],
			['Started', <Time at={lease.created_at} />],
			['Identifier', <code>{lease.id}</code>],
		],
		cancel: path,
		submit: 'End lease',
	});
}

async function end(visit: MemberVisit) {
	await requestApi(visit, 'DELETE', encodedPath(visit.c, path));
	return goTo(visit.c, path, 'lease-ended');
}
