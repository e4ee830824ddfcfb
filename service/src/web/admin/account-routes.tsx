// Accounts for administrators: search, credits, roles.
import { randomUUID } from 'node:crypto';
import { deleteAccount } from '../../accounts/delete.ts';
import {
	accountSorts,
	accountWithCredits,
	countAccounts,
	searchAccounts,
} from '../../accounts/search.ts';
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { disableAccount, enableAccount, setRole } from '../../accounts/store.ts';
import { grantCredits, listCredits, readAmount } from '../../credits/store.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { announceLease } from '../../leases/changes.ts';
import { grantSoon } from '../../leases/queue/grant.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { readPage } from '../elements/pager.tsx';
import { readSort } from '../elements/sort.ts';
import { inPlainWords, readForm, readLine, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { AccountDetail } from './account-detail.tsx';
import { AccountList } from './account-list.tsx';
import {
	type AccountChange,
	accountChanges,
	ChangeAccount,
	isAccountChange,
} from './change-account.tsx';

export function accountAdminPages(
	app: ServiceApp,
	needs: Pick<Parts, 'accounts' | 'database' | 'settings' | 'wake' | 'log'>,
	{ forAdmins }: Pages,
) {
	const { query } = needs.database;
	app.get(
		'/admin/accounts',
		forAdmins(async ({ c }) => {
			const text = readLine(c, 'q');
			const sort = readSort(c.req.query('sort'), accountSorts);
			const total = await countAccounts(query, text);
			const { slice, ...choice } = readPage(c.req.query(), total);
			const accounts = await searchAccounts(query, text, { ...sort, ...slice });
			const view = { text, sort, ...choice, accounts };
			return { title: 'Accounts', main: <AccountList {...view} /> };
		}),
	);

	const existing = async (c: ServiceContext) => {
		const account = await accountWithCredits(query, c.req.param('id') ?? '');
		if (!account) throw new ApiError('not_found', 'There is no such account.');
		return account;
	};

	const detail = async ({ c, account: admin }: MemberVisit, amount: string, error?: ApiError) => {
		const account = await existing(c);
		const main = (
			<AccountDetail
				account={account}
				entries={await listCredits(query, account.id)}
				self={account.id === admin.id}
				token={randomUUID()}
				amount={amount}
				error={error}
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
			requireRecentPassword(visit.account);
			const { id, verified_at } = await existing(visit.c);
			const { amount, token, sure } = await readForm(visit.c, ['amount', 'token', 'sure']);
			const grant = async () => {
				if (!verified_at && !sure) throw invalid([{ path: 'sure', message: 'is required' }]);
				// The token of the form names the entry, so that sending it twice books it once.
				return grantCredits(query, {
					account_id: id,
					amount: readAmount(amount),
					name: token || undefined,
				});
			};
			const done = await grant().catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				return refused(await detail(visit, amount, error), error);
			}
			return goTo(visit.c, `/admin/accounts/${id}`, 'credits-granted');
		}),
	);

	const readChange = (c: ServiceContext) => {
		const change = c.req.param('change') ?? '';
		if (!isAccountChange(change)) throw new ApiError('not_found', 'This action does not exist.');
		return change;
	};

	app.get(
		'/admin/accounts/:id/:change',
		forAdmins(async ({ c }) => {
			const change = readChange(c);
			const main = <ChangeAccount account={await existing(c)} change={change} />;
			return { title: accountChanges[change].question, main };
		}),
	);

	app.post(
		'/admin/accounts/:id/:change',
		forAdmins(async (visit) => {
			requireRecentPassword(visit.account);
			const change = readChange(visit.c);
			const { id } = await existing(visit.c);
			if (id === visit.account.id) {
				const error = invalid([{ path: 'change', message: 'You cannot change your own account.' }]);
				return refused(await detail(visit, '', error), error);
			}
			const done = await changes[change](id).catch(refusal);
			if (done instanceof ApiError) return refused(await detail(visit, '', done), done);
			if (change === 'delete') return goTo(visit.c, '/admin/accounts', 'account-deleted');
			return goTo(visit.c, `/admin/accounts/${id}`, 'account-changed');
		}),
	);

	const changes: Record<AccountChange, (id: string) => Promise<unknown>> = {
		promote: (id) => setRole(query, id, 'admin'),
		demote: (id) => setRole(query, id, 'user'),
		disable: async (id) => announce(await disableAccount(query, id)),
		enable: (id) => enableAccount(query, id),
		'reset-two-factor': (id) => needs.accounts.disableTwoFactor(id, { byAdministrator: true }),
		delete: async (id) => announce(await deleteAccount(query, id)),
	};

	/** Tells those who wait, and gives the boards to others. */
	const announce = async (ended: LeaseRow[]) => {
		for (const lease of ended) announceLease(needs.wake, lease);
		await grantSoon(needs);
	};
}

const sentences = {
	sure: 'This address was never verified. Confirm that the account belongs to the person.',
	amount: (message: string) =>
		message.includes('already')
			? 'This form has already granted another amount. Submit it again to grant more.'
			: 'Enter a whole number of credits, at least 1.',
};
