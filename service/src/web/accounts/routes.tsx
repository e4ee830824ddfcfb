// Signing up, logging in and out, and what belongs to one's own account.
import { creditBalance } from '../../credits/store.ts';
import { isPaidTier } from '../../credits/tier.ts';
import { ApiError } from '../../errors.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { readForm, refusal } from '../form.ts';
import { localPath } from '../local-path.ts';
import { goTo, type Pages, refused } from '../page.tsx';
import { AccountView } from './account.tsx';
import { Entrance, type EntranceKind } from './entrance.tsx';

export function accountPages(
	app: ServiceApp,
	{ accounts, database, settings }: Pick<Parts, 'accounts' | 'database' | 'settings'>,
	{ forAnyone, forMembers }: Pages,
) {
	const visitor = (c: ServiceContext) => ({
		headers: c.req.raw.headers,
		address: callerAddress(c, settings),
	});

	const showEntrance = (kind: EntranceKind) =>
		forAnyone(({ c, account }) => {
			const next = localPath(c.req.query('next'), '/boards');
			if (account) return goTo(c, next);
			return { title: titles[kind], main: <Entrance kind={kind} next={next} /> };
		});

	const enter = (kind: EntranceKind) =>
		forAnyone(async ({ c }) => {
			const { email, password, next: wish } = await readForm(c, ['email', 'password', 'next']);
			const next = localPath(wish, '/boards');
			const act = kind === 'sign-up' ? accounts.signUp : accounts.logIn;
			const done = await act(visitor(c), { email: email.trim(), password }).catch(refusal);
			if (done instanceof ApiError) {
				const main = <Entrance kind={kind} next={next} email={email} fault={done} />;
				return refused({ title: titles[kind], main }, done);
			}
			passOn(c, done.cookies);
			return goTo(c, next, kind === 'sign-up' ? 'welcome' : undefined);
		});

	app.get('/signup', showEntrance('sign-up'));
	app.post('/signup', enter('sign-up'));
	app.get('/login', showEntrance('log-in'));
	app.post('/login', enter('log-in'));

	app.post(
		'/logout',
		forAnyone(async ({ c }) => {
			passOn(c, (await accounts.logOut(visitor(c))).cookies);
			return goTo(c, '/', 'logged-out');
		}),
	);

	const standing = async (accountId: string) => ({
		paid: await isPaidTier(database.query, accountId),
		balance: await creditBalance(database.query, accountId),
	});

	app.get(
		'/account',
		forMembers(async ({ account }) => ({
			title: 'Account',
			main: <AccountView account={account} {...(await standing(account.id))} />,
		})),
	);

	app.post(
		'/account/password',
		forMembers(async ({ c, account }) => {
			const passwords = await readForm(c, ['current', 'next']);
			const done = await accounts.changePassword(visitor(c), passwords).catch(refusal);
			if (done instanceof ApiError) {
				const main = (
					<AccountView account={account} {...(await standing(account.id))} fault={done} />
				);
				return refused({ title: 'Account', main }, done);
			}
			passOn(c, done.cookies);
			return goTo(c, '/account', 'password-changed');
		}),
	);
}

const titles = { 'sign-up': 'Sign up', 'log-in': 'Log in' } as const;

function passOn(c: ServiceContext, cookies: string[]) {
	for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
}
