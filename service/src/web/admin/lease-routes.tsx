// The leases of every account, for administrators, who can end them.
import { adminLease, pageOf } from 'board-access-contract';
import { boardNames } from '../../boards/store.ts';
import { now } from '../../database/time.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { noSuchLease } from '../../leases/refusals.ts';
import type { Parts } from '../../parts.ts';
import { readApi, requestApi } from '../api.ts';
import { Question } from '../elements/question.tsx';
import { Time } from '../elements/time.tsx';
import { goTo, type Pages } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { type AdminLease, LeaseList } from './lease-list.tsx';

const pageSize = '50';
const mostLive = '200';
const live = ['active', 'preparing', 'queued'] as const;

export function leaseAdminPages(
	app: ServiceApp,
	{ database: { query } }: Pick<Parts, 'database'>,
	{ forAdmins }: Pages,
) {
	const path = '/admin/leases';

	app.get(
		path,
		forAdmins(async ({ c }) => {
			const cursor = c.req.query('cursor');
			const read = (search: Record<string, string | undefined>) =>
				readApi(app, c, { path: withQuery(path, search), schema: pageOf(adminLease) });
			const lives = cursor
				? []
				: await Promise.all(live.map((status) => read({ status, limit: mostLive })));
			const ended = await read({ status: 'ended', limit: pageSize, cursor });
			const leases = [...lives.flatMap(({ data }) => data), ...ended.data];
			const main = (
				<LeaseList
					leases={leases}
					next={ended.next_cursor}
					names={await namesOf(leases)}
					at={now()}
				/>
			);
			return { title: 'All leases', main };
		}),
	);

	/** The names of boards and accounts by their identifiers. */
	const namesOf = async (leases: AdminLease[]) => {
		const boardIds = leases.flatMap(({ board_id }) => board_id ?? []);
		const accountIds = leases.map(({ account_id }) => account_id);
		if (leases.length === 0) return new Map<string, string>();
		const accounts = await query
			.selectFrom('accounts')
			.select(['id', 'email'])
			.where('id', 'in', accountIds)
			.execute();
		const names = await boardNames(query, boardIds);
		for (const { id, email } of accounts) names.set(id, email);
		return names;
	};

	app.get(
		`${path}/:id/end`,
		forAdmins(async ({ c }) => {
			const lease = await query
				.selectFrom('leases')
				.innerJoin('accounts', 'accounts.id', 'leases.account_id')
				.select(['leases.id', 'board_type', 'board_id', 'status', 'leases.created_at', 'email'])
				.where('leases.id', '=', c.req.param('id') ?? '')
				.executeTakeFirst();
			if (!lease) throw noSuchLease();
			if (lease.status === 'ended') return goTo(c, path, 'lease-ended');
			const main = (
				<Question
					title="End this lease?"
					lead="The account loses the board immediately, and pays for the minutes until now."
					facts={[
						['Account', lease.email],
						['Board', <code>{lease.board_id ?? lease.board_type}</code>],
						['Started', <Time at={lease.created_at} />],
						['Identifier', <code>{lease.id}</code>],
					]}
					action={`${path}/${lease.id}/end`}
					cancel={path}
					submit="End lease"
				/>
			);
			return { title: 'End a lease', main };
		}),
	);

	app.post(
		`${path}/:id/end`,
		forAdmins(async ({ c }) => {
			const id = encodeURIComponent(c.req.param('id') ?? '');
			await requestApi(app, c, { method: 'DELETE', path: `${path}/${id}` });
			return goTo(c, path, 'lease-ended');
		}),
	);
}
