// Accounts for administrators: found, credited, promoted, stopped.
import { randomUUID } from 'node:crypto';
import {
	accountSorts,
	accountWithCredits,
	countAccounts,
	searchAccounts,
} from '../../accounts/search.ts';
import { disableAccount, enableAccount, setRole } from '../../accounts/store.ts';
import { grantCredits, listCredits, readAmount } from '../../credits/store.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { readPage } from '../elements/pager.tsx';
import { readSort } from '../elements/sort.ts';
import { readForm, readLine, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../page.tsx';
import { AccountDetail } from './account-detail.tsx';
import { AccountList } from './account-list.tsx';

const pageSize = 50;

export function accountAdminPages(
	app: ServiceApp,
	{ database: { query } }: Parts,
	{ forAdmins }: Pages,
) {
	app.get(
		'/admin/accounts',
		forAdmins(async ({ c }) => {
			const text = readLine(c, 'q');
			const sort = readSort(c.req.query('sort'), accountSorts);
			const total = await countAccounts(query, text);
			const { page, slice } = readPage(c.req.query('page'), { total, pageSize });
			const accounts = await searchAccounts(query, text, { ...sort, ...slice });
			const view = { text, sort, total, page, pageSize, accounts };
			return { title: 'Accounts', main: <AccountList {...view} /> };
		}),
	);

	const existing = async (c: ServiceContext) => {
		const account = await accountWithCredits(query, c.req.param('id') ?? '');
		if (!account) throw new ApiError('not_found', 'There is no such account.');
		return account;
	};

	const detail = async ({ c, account: admin }: MemberVisit, amount: string, fault?: ApiError) => {
		const account = await existing(c);
		const main = (
			<AccountDetail
				account={account}
				entries={await listCredits(query, account.id)}
				self={account.id === admin.id}
				token={randomUUID()}
				amount={amount}
				fault={fault}
			/>
		);
		return { title: account.email, main };
	};

	app.get(
		'/admin/accounts/:id',
		forAdmins((visit) => detail(visit, '')),
	);

	app.post(
		'/admin/accounts/:id/credits',
		forAdmins(async (visit) => {
			const { id } = await existing(visit.c);
			const { amount, token } = await readForm(visit.c, ['amount', 'token']);
			const grant = async () =>
				// The form's own token as the name: sent twice, it is booked once.
				grantCredits(query, {
					account_id: id,
					amount: readAmount(amount),
					name: token || undefined,
				});
			const done = await grant().catch(refusal);
			if (done instanceof ApiError) return refused(await detail(visit, amount, done), done);
			return goTo(visit.c, `/admin/accounts/${id}`, 'credits-granted');
		}),
	);

	app.post(
		'/admin/accounts/:id/standing',
		forAdmins(async (visit) => {
			const { id } = await existing(visit.c);
			const { change } = await readForm(visit.c, ['change']);
			const act = isStanding(change) ? standings[change] : undefined;
			if (!act) throw invalid([{ path: 'change', message: 'is not a known name' }]);
			if (id === visit.account.id) {
				const fault = invalid([{ path: 'change', message: 'is not possible on your own account' }]);
				return refused(await detail(visit, '', fault), fault);
			}
			await act(id);
			return goTo(visit.c, `/admin/accounts/${id}`, 'account-changed');
		}),
	);

	const standings = {
		promote: (id: string) => setRole(query, id, 'admin'),
		demote: (id: string) => setRole(query, id, 'user'),
		disable: (id: string) => disableAccount(query, id),
		enable: (id: string) => enableAccount(query, id),
	} as const;

	const isStanding = (text: string): text is keyof typeof standings =>
		Object.hasOwn(standings, text);
}
