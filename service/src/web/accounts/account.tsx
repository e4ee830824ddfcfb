// The account of the visitor: its password, its sessions, and its end.
import {
	endSession,
	endSessions,
	listSessions,
	requireRecentPassword,
} from '../../accounts/sessions/sessions.ts';
import { findAccount } from '../../accounts/store.ts';
import { creditBalance } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import type { ApiError } from '../../errors.ts';
import { deleteFully } from '../admin/account-changes.ts';
import { ask } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { sentFields } from '../form.ts';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { localPath } from '../paths.ts';
import { AccountPage } from './account-page.tsx';
import { explainPassword } from './card-form.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { sendCookies } from './log-in.tsx';

export function accountPages({ members }: Pages) {
	members.get('/account', (visit) => show(visit));
	members.post('/account/password', changePassword);
	members.post('/account/sessions/:id/end', end);
	members.post('/account/sessions/end-others', endOthers);
	members.post('/confirm', confirm);
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

async function end({ c, account, parts }: MemberVisit) {
	await endSession(parts.database.query, account.id, c.req.param('id') ?? '');
	return goTo(c, '/account#sessions', 'session-ended');
}

async function endOthers({ c, account, parts }: MemberVisit) {
	await endSessions(parts.database.query, account.id, account.sessionId);
	return goTo(c, '/account#sessions', 'sessions-ended');
}

const confirm = onSubmit({
	fields: ['confirm_password', 'confirm_to', 'confirm_method'],
	change: async ({ c, account, parts, visitor }: MemberVisit, sent) => {
		const { to, method } = destinationOf(sent);
		const { accounts } = parts;
		sendCookies(c, await accounts.confirmPassword(visitor, account, sent.confirm_password));
		// A redirect with 307 makes the browser send the form again, to the page that asked.
		return method === 'get' ? goTo(c, to) : c.redirect(to, 307);
	},
	again: async ({ c, account }, error, sent) => {
		const fields = [...(await sentFields(c))].filter(([name]) => !name.startsWith('confirm_'));
		const form = { email: account.email, ...destinationOf(sent), fields, error };
		return { title: 'Confirm that it is you', main: <ConfirmForm {...form} /> };
	},
	sentences: { confirm_password: 'The password is not correct.' },
});

function destinationOf(sent: Record<'confirm_to' | 'confirm_method', string>) {
	const method = sent.confirm_method === 'get' ? 'get' : 'post';
	return { to: localPath(sent.confirm_to, '/account'), method } as const;
}

function askToDelete(visit: MemberVisit, error?: ApiError) {
	const question = {
		title: 'Delete your account?',
		lead: 'You are logged out everywhere, your API keys stop working and your leases end immediately. Credits are lost. This cannot be undone.',
		facts: [['Account', <Name>{visit.account.email}</Name>]] as const,
		cancel: '/account',
		submit: 'Delete account',
	};
	return ask(visit, question, error);
}

const remove = onSubmit({
	change: async ({ c, account, parts }: MemberVisit) => {
		requireRecentPassword(account);
		await deleteFully(parts, account.id);
		return goTo(c, '/', 'account-deleted');
	},
	again: askToDelete,
});
