// Ending sessions, entering the password again, and deleting the own account.
import { deleteAccount } from '../../accounts/delete.ts';
import {
	endSession,
	endSessions,
	requireRecentPassword,
} from '../../accounts/sessions/sessions.ts';
import { ApiError } from '../../errors.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import { announceLease } from '../../leases/changes.ts';
import { grantSoon } from '../../leases/queue/grant.ts';
import type { Parts } from '../../parts.ts';
import { Question } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { inPlainWords, readForm, refusal, sentFields } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { localPath } from '../paths.ts';
import { ConfirmForm } from './confirm-form.tsx';
import { sendCookies } from './send-cookies.ts';

type Needs = Pick<Parts, 'accounts' | 'database' | 'settings' | 'wake' | 'log'>;

export function sessionPages(app: ServiceApp, needs: Needs, { forMembers }: Pages) {
	const { accounts, database, settings, wake } = needs;
	const { query } = database;

	const visitor = (c: ServiceContext) => ({
		headers: c.req.raw.headers,
		address: callerAddress(c, settings),
	});

	app.post(
		'/account/sessions/:id/end',
		forMembers(async ({ c, account }) => {
			await endSession(query, account.id, c.req.param('id') ?? '');
			return goTo(c, '/account#sessions', 'session-ended');
		}),
	);

	app.post(
		'/account/sessions/end-others',
		forMembers(async ({ c, account }) => {
			await endSessions(query, account.id, account.sessionId);
			return goTo(c, '/account#sessions', 'sessions-ended');
		}),
	);

	app.post(
		'/confirm',
		forMembers(async ({ c, account }) => {
			const sent = await readForm(c, ['confirm_password', 'confirm_to', 'confirm_method']);
			const to = localPath(sent.confirm_to, '/account');
			const done = await accounts
				.confirmPassword(visitor(c), account, sent.confirm_password)
				.catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				const fields = [...(await sentFields(c))].filter(([name]) => !name.startsWith('confirm_'));
				const method = sent.confirm_method === 'get' ? 'get' : 'post';
				const form = { email: account.email, to, method, fields, error } as const;
				return refused({ title: 'Confirm that it is you', main: <ConfirmForm {...form} /> }, error);
			}
			sendCookies(c, done.cookies);
			// A redirect with 307 makes the browser send the form again, to the page that asked.
			return sent.confirm_method === 'get' ? goTo(c, to) : c.redirect(to, 307);
		}),
	);

	const deletion = ({ account }: MemberVisit, error?: ApiError) => ({
		title: 'Delete your account',
		main: (
			<Question
				title="Delete your account?"
				lead="You are logged out everywhere, your API keys stop working and your leases end immediately. Credits are lost. This cannot be undone."
				facts={[['Account', <Name>{account.email}</Name>]]}
				action="/account/delete"
				cancel="/account"
				submit="Delete account"
				error={error}
			/>
		),
	});

	app.get(
		'/account/delete',
		forMembers((visit) => deletion(visit)),
	);

	app.post(
		'/account/delete',
		forMembers(async (visit) => {
			const { c, account } = visit;
			requireRecentPassword(account);
			const ended = await deleteAccount(query, account.id).catch(refusal);
			if (ended instanceof ApiError) return refused(deletion(visit, ended), ended);
			for (const lease of ended) announceLease(wake, lease);
			await grantSoon(needs);
			return goTo(c, '/', 'account-deleted');
		}),
	);
}

const sentences = { confirm_password: 'The password is not correct.' };
