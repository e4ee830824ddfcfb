// The account of the visitor: its password, its sessions, and its end.
import { endSession, endSessions, listSessions } from '../../accounts/sessions/sessions.ts';
import { findAccount } from '../../accounts/store.ts';
import { creditBalance } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import type { ApiError } from '../../errors.ts';
import { deleteFully } from '../admin/account-changes.ts';
import { ask } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { AccountPage } from './account-page.tsx';
import { explainPassword } from './card-form.tsx';
import { confirm } from './confirm.ts';
import { sendCookies } from './cookies.ts';

export function accountPages({ members }: Pages) {
	members.get('/account', (visit) => show(visit));
	members.post('/account/password', changePassword);
	members.post('/account/sessions/:id/end', end);
	members.post('/account/sessions/end-others', endOthers);
	members.get('/account/delete', (visit) => askToDelete(visit));
	members.post('/account/delete', remove);
}

async function show({ account, parts }: MemberVisit, error?: ApiError) {
	const { query } = parts.database;
	const found = await findAccount(query, account.email);
	const details = {
		sessions: await listSessions(query, account.id, parts.settings.sessionIdleMinutes),
		paid: await isPaidTier(query, account.id),
		balance: await creditBalance(query, account.id),
		verifiable: parts.mail !== undefined && !found?.verified_at,
	};
	return { title: 'Account', main: <AccountPage account={account} {...details} error={error} /> };
}

const changePassword = onSubmit({
	fields: ['current', 'next'],
	change: async ({ c, account, parts, visitor }: MemberVisit, passwords) => {
		const wanted = { email: account.email, ...passwords };
		sendCookies(c, await parts.accounts.changePassword(visitor, wanted));
		return goTo(c, '/account', 'password-changed');
	},
	again: show,
	sentences: { next: explainPassword, current: 'The current password is not correct.' },
});

async function end(visit: MemberVisit) {
	await confirm(visit);
	const { c, account, parts } = visit;
	await endSession(parts.database.query, account.id, c.req.param('id') ?? '');
	return goTo(c, '/account#sessions', 'session-ended');
}

async function endOthers(visit: MemberVisit) {
	await confirm(visit);
	const { c, account, parts } = visit;
	await endSessions(parts.database.query, account.id, account.sessionId);
	return goTo(c, '/account#sessions', 'sessions-ended');
}

function askToDelete(visit: MemberVisit, error?: ApiError) {
	const question = {
		title: 'Delete your account?',
		lead: 'You are logged out everywhere, your API keys stop working and your leases end immediately. Credits are lost. Labels, uploaded firmware, consoles and the details of your activity are deleted. What stays, without your address: the ledger, and which boards were leased when. This cannot be undone.',
		facts: [['Account', <Name>{visit.account.email}</Name>]] as const,
		cancel: '/account',
		submit: 'Delete account',
	};
	return ask(visit, question, error);
}

const remove = onSubmit({
	change: async (visit: MemberVisit) => {
		await confirm(visit, { always: true });
		await deleteFully(visit.parts, visit.account.id);
		return goTo(visit.c, '/', 'account-deleted');
	},
	again: askToDelete,
});
