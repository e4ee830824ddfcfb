// The account of the visitor: its password, its sessions, and its end.

import { deleteAccount } from '../../accounts/delete.ts';
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
import type { ServiceApp } from '../../http/environment.ts';
import { announceLease } from '../../leases/changes.ts';
import { grantSoon } from '../../leases/queue/grant.ts';
import { Question } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { readForm, sentFields } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm } from '../pages.tsx';
import { localPath } from '../paths.ts';
import { AccountPage } from './account-page.tsx';
import { explainPassword } from './card-form.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { sendCookies, visitorOf } from './visitor.ts';

export function accountPages(app: ServiceApp, { forMembers }: Pages) {
	app.get(
		'/account',
		forMembers((visit) => show(visit)),
	);
	app.post('/account/password', forMembers(changePassword));
	app.post('/account/sessions/:id/end', forMembers(end));
	app.post('/account/sessions/end-others', forMembers(endOthers));
	app.post('/confirm', forMembers(confirm));
	app.get(
		'/account/delete',
		forMembers((visit) => deletion(visit)),
	);
	app.post('/account/delete', forMembers(remove));
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

async function changePassword(visit: MemberVisit) {
	const { c, account, parts } = visit;
	const passwords = await readForm(c, ['current', 'next']);
	return submitForm({
		change: async () => {
			const wanted = { email: account.email, ...passwords };
			sendCookies(c, await parts.accounts.changePassword(visitorOf(visit), wanted));
			return goTo(c, '/account', 'password-changed');
		},
		again: (error) => show(visit, error),
		sentences: { next: explainPassword, current: 'The current password is not correct.' },
	});
}

async function end({ c, account, parts }: MemberVisit) {
	await endSession(parts.database.query, account.id, c.req.param('id') ?? '');
	return goTo(c, '/account#sessions', 'session-ended');
}

async function endOthers({ c, account, parts }: MemberVisit) {
	await endSessions(parts.database.query, account.id, account.sessionId);
	return goTo(c, '/account#sessions', 'sessions-ended');
}

async function confirm(visit: MemberVisit) {
	const { c, account, parts } = visit;
	const sent = await readForm(c, ['confirm_password', 'confirm_to', 'confirm_method']);
	const to = localPath(sent.confirm_to, '/account');
	const method = sent.confirm_method === 'get' ? 'get' : 'post';
	const fields = [...(await sentFields(c))].filter(([name]) => !name.startsWith('confirm_'));
	const form = { email: account.email, to, method, fields } as const;
	return submitForm({
		change: async () => {
			const { accounts } = parts;
			const entry = await accounts.confirmPassword(
				visitorOf(visit),
				account,
				sent.confirm_password,
			);
			sendCookies(c, entry);
			// A redirect with 307 makes the browser send the form again, to the page that asked.
			return method === 'get' ? goTo(c, to) : c.redirect(to, 307);
		},
		again: (error) => ({
			title: 'Confirm that it is you',
			main: <ConfirmForm {...form} error={error} />,
		}),
		sentences: { confirm_password: 'The password is not correct.' },
	});
}

function deletion({ account }: MemberVisit, error?: ApiError) {
	const main = (
		<Question
			title="Delete your account?"
			lead="You are logged out everywhere, your API keys stop working and your leases end immediately. Credits are lost. This cannot be undone."
			facts={[['Account', <Name>{account.email}</Name>]]}
			action="/account/delete"
			cancel="/account"
			submit="Delete account"
			error={error}
		/>
	);
	return { title: 'Delete your account', main };
}

function remove(visit: MemberVisit) {
	const { c, account, parts } = visit;
	requireRecentPassword(account);
	return submitForm({
		change: async () => {
			const ended = await deleteAccount(parts.database.query, account.id);
			for (const lease of ended) announceLease(parts.wake, lease);
			await grantSoon(parts);
			return goTo(c, '/', 'account-deleted');
		},
		again: (error) => deletion(visit, error),
	});
}
