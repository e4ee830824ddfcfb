// Signing up, logging in and out, and the account of the visitor.
import { listSessions, type Member } from '../../accounts/sessions/sessions.ts';
import { findAccount } from '../../accounts/store.ts';
import { creditBalance } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import { ApiError } from '../../errors.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { inPlainWords, readForm, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../pages.tsx';
import { localPath, withQuery } from '../paths.ts';
import { AccountPage } from './account-page.tsx';
import { sendCookies } from './send-cookies.ts';
import { explainPassword } from './sentences.ts';
import { SignInForm, type SignInKind } from './sign-in-form.tsx';
import { SignUpClosed } from './sign-up-closed.tsx';

export function accountPages(
	app: ServiceApp,
	{
		accounts,
		database,
		mail,
		settings,
	}: Pick<Parts, 'accounts' | 'database' | 'mail' | 'settings'>,
	{ forAnyone, forMembers }: Pages,
) {
	const visitor = (c: ServiceContext) => ({
		headers: c.req.raw.headers,
		address: callerAddress(c, settings),
	});

	const offers = { forgettable: mail !== undefined, canSignUp: settings.signup === 'open' };

	const showForm = (kind: SignInKind) =>
		forAnyone(({ c, account }) => {
			const next = localPath(c.req.query('next'), '/boards');
			if (account) return goTo(c, next);
			if (kind === 'sign-up' && settings.signup !== 'open') {
				return { title: titles[kind], main: <SignUpClosed contact={settings.contact} /> };
			}
			return {
				title: titles[kind],
				main: <SignInForm kind={kind} next={next} {...offers} />,
			};
		});

	const signIn = (kind: SignInKind) =>
		forAnyone(async ({ c }) => {
			const { email, password, next: wanted } = await readForm(c, ['email', 'password', 'next']);
			const next = localPath(wanted, '/boards');
			const submit = kind === 'sign-up' ? 'signUp' : 'logIn';
			const credentials = { email: email.trim(), password };
			const done = await accounts[submit](visitor(c), credentials).catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				const form = { kind, next, email, error, ...offers };
				return refused({ title: titles[kind], main: <SignInForm {...form} /> }, done);
			}
			sendCookies(c, done.cookies);
			if (done.needsCode) return goTo(c, withQuery('/login/code', { next }));
			return goTo(c, next, kind === 'sign-up' ? 'welcome' : undefined);
		});

	app.get('/signup', showForm('sign-up'));
	app.post('/signup', signIn('sign-up'));
	app.get('/login', showForm('log-in'));
	app.post('/login', signIn('log-in'));

	app.post(
		'/logout',
		forAnyone(async ({ c }) => {
			sendCookies(c, (await accounts.logOut(visitor(c))).cookies);
			return goTo(c, '/', 'logged-out');
		}),
	);

	const detailsOf = async ({ id, email }: Member) => ({
		sessions: await listSessions(database.query, id, settings.sessionIdleMinutes),
		paid: await isPaidTier(database.query, id),
		balance: await creditBalance(database.query, id),
		verifiable: mail !== undefined && !(await findAccount(database.query, email))?.verified_at,
	});

	app.get(
		'/account',
		forMembers(async ({ account }) => ({
			title: 'Account',
			main: <AccountPage account={account} {...(await detailsOf(account))} />,
		})),
	);

	app.post(
		'/account/password',
		forMembers(async ({ c, account }) => {
			const passwords = await readForm(c, ['current', 'next']);
			const wanted = { email: account.email, ...passwords };
			const done = await accounts.changePassword(visitor(c), wanted).catch(refusal);
			if (done instanceof ApiError) {
				const error = inPlainWords(done, sentences);
				const main = (
					<AccountPage account={account} {...(await detailsOf(account))} error={error} />
				);
				return refused({ title: 'Account', main }, done);
			}
			sendCookies(c, done.cookies);
			return goTo(c, '/account', 'password-changed');
		}),
	);
}

const sentences = {
	email: (message: string) =>
		message.includes('already')
			? 'An account with this email address already exists. Log in instead.'
			: 'Email address is not valid.',
	password: explainPassword,
	next: explainPassword,
	current: 'The current password is not correct.',
};

const titles = { 'sign-up': 'Sign up', 'log-in': 'Log in' } as const;
