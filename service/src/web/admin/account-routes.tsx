// Accounts for administrators: search, credits, roles.
import { deleteAccount } from '../../accounts/delete.ts';
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { disableAccount, enableAccount, setRole } from '../../accounts/store.ts';
import { grantCredits, readAmount } from '../../credits/store.ts';
import type { LeaseRow } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { announceLease } from '../../leases/changes.ts';
import { grantSoon } from '../../leases/queue/grant.ts';
import type { Parts } from '../../parts.ts';
import { invalid } from '../../validation.ts';
import { ask } from '../elements/question.tsx';
import { StrongName } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import {
	type AccountChange,
	accountChanges,
	balanceOf,
	creationOf,
	findAccount,
	listAccounts,
	showAccount,
	UnverifiedWarning,
} from './account-pages.tsx';

const path = '/admin/accounts';

export function accountAdminPages(app: ServiceApp, { forAdmins }: Pages) {
	app.get(path, forAdmins(listAccounts));
	app.get(
		`${path}/:id`,
		forAdmins((visit) => showAccount(visit)),
	);
	app.post(`${path}/:id/credits`, forAdmins(grant));
	app.get(`${path}/:id/:change`, forAdmins(askToChange));
	app.post(`${path}/:id/:change`, forAdmins(change));
}

async function grant(visit: MemberVisit) {
	const { c, parts, account: admin } = visit;
	requireRecentPassword(admin);
	const { id, verified_at } = await findAccount(visit);
	const { amount, token, sure } = await readForm(c, ['amount', 'token', 'sure']);
	return submitForm({
		change: async () => {
			if (!verified_at && !sure) throw invalid([{ path: 'sure', message: 'is required' }]);
			// The token of the form names the entry, so that sending it twice books it once.
			const entry = { account_id: id, amount: readAmount(amount), name: token || undefined };
			await grantCredits(parts.database.query, entry);
			return goTo(c, `${path}/${id}`, 'credits-granted');
		},
		again: (error) => showAccount(visit, amount, error),
		sentences: {
			sure: 'This address was never verified. Confirm that the account belongs to the person.',
			amount: (message) =>
				message.includes('already')
					? 'This form has already granted another amount. Submit it again to grant more.'
					: 'Enter a whole number of credits, at least 1.',
		},
	});
}

function readChange({ c }: MemberVisit) {
	const change = c.req.param('change') ?? '';
	if (isAccountChange(change)) return change;
	throw new ApiError('not_found', 'This action does not exist.');
}

function isAccountChange(text: string): text is AccountChange {
	return Object.hasOwn(accountChanges, text);
}

async function askToChange(visit: MemberVisit) {
	const change = readChange(visit);
	const account = await findAccount(visit);
	const words = accountChanges[change];
	return ask(visit, words.title, {
		...words,
		children: change === 'promote' && !account.verified_at && <UnverifiedWarning />,
		facts: [
			['Account', <StrongName text={account.email} />],
			['Balance', balanceOf(account)],
			['Created', creationOf(account)],
		],
		cancel: `${path}/${account.id}`,
	});
}

async function change(visit: MemberVisit) {
	const { c, parts, account: admin } = visit;
	requireRecentPassword(admin);
	const change = readChange(visit);
	const { id } = await findAccount(visit);
	return submitForm({
		change: async () => {
			if (id === admin.id) {
				throw invalid([{ path: 'change', message: 'You cannot change your own account.' }]);
			}
			await changes[change](parts, id);
			if (change === 'delete') return goTo(c, path, 'account-deleted');
			return goTo(c, `${path}/${id}`, 'account-changed');
		},
		again: (error) => showAccount(visit, '', error),
	});
}

const changes: Record<AccountChange, (parts: Parts, id: string) => Promise<unknown>> = {
	promote: ({ database }, id) => setRole(database.query, id, 'admin'),
	demote: ({ database }, id) => setRole(database.query, id, 'user'),
	disable: async (parts, id) => announce(parts, await disableAccount(parts.database.query, id)),
	enable: ({ database }, id) => enableAccount(database.query, id),
	'reset-two-factor': ({ accounts }, id) =>
		accounts.disableTwoFactor(id, { byAdministrator: true }),
	delete: async (parts, id) => announce(parts, await deleteAccount(parts.database.query, id)),
};

/** Tells those who wait, and gives the boards to others. */
async function announce(parts: Parts, ended: LeaseRow[]) {
	for (const lease of ended) announceLease(parts.wake, lease);
	await grantSoon(parts);
}
