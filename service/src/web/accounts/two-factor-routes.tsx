// Two-factor authentication of the visitor: the second step of a log-in, and the settings.
import { requireRecentPassword } from '../../accounts/sessions/sessions.ts';
import { countRecoveryCodes, setUpTwoFactor } from '../../accounts/two-factor.ts';
import { ApiError } from '../../errors.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { Question } from '../elements/question.tsx';
import { Name } from '../elements/text.tsx';
import { inPlainWords, readForm, refusal } from '../form.ts';
import { goTo, type MemberVisit, type Pages, refused } from '../pages.tsx';
import { localPath, withQuery } from '../paths.ts';
import { CodeForm } from './code-form.tsx';
import { sendCookies } from './send-cookies.ts';
import { RecoveryCodes, TwoFactorSetup, TwoFactorStatus } from './two-factor-page.tsx';

const title = 'Two-factor authentication';

export function twoFactorPages(
	app: ServiceApp,
	needs: Pick<Parts, 'accounts' | 'database' | 'settings' | 'log'>,
	{ forAnyone, forMembers }: Pages,
) {
	const { accounts, database, settings } = needs;

	const visitor = (c: ServiceContext) => ({
		headers: c.req.raw.headers,
		address: callerAddress(c, settings),
	});

	app.get(
		'/login/code',
		forAnyone(async ({ c }) => {
			const next = localPath(c.req.query('next'), '/boards');
			if (!(await accounts.awaitsCode(visitor(c)))) return goTo(c, withQuery('/login', { next }));
			return { title: 'Enter a code', main: <CodeForm next={next} /> };
		}),
	);

	app.post(
		'/login/code',
		forAnyone(async ({ c }) => {
			const { code, next: wanted } = await readForm(c, ['code', 'next']);
			const next = localPath(wanted, '/boards');
			const done = await accounts.enterCode(visitor(c), code).catch(refusal);
			if (done instanceof ApiError) {
				if (done.code === 'not_found') return goTo(c, withQuery('/login', { next }));
				const error = inPlainWords(done, sentences);
				return refused(
					{ title: 'Enter a code', main: <CodeForm next={next} error={error} /> },
					done,
				);
			}
			sendCookies(c, done.cookies);
			return goTo(c, next);
		}),
	);

	const setupPage = async ({ account }: MemberVisit, error?: ApiError) => ({
		title,
		main: <TwoFactorSetup setup={await setUpTwoFactor(needs, account)} {...(error && { error })} />,
	});

	app.get(
		'/account/two-factor',
		forMembers(async (visit) => {
			const { account } = visit;
			if (account.twoFactor) {
				const left = await countRecoveryCodes(database.query, account.id);
				return { title, main: <TwoFactorStatus left={left} /> };
			}
			// With the secret, anyone can make codes; turning it on can lock the owner out.
			requireRecentPassword(account);
			return setupPage(visit);
		}),
	);

	app.post(
		'/account/two-factor',
		forMembers(async (visit) => {
			const { c, account } = visit;
			if (account.twoFactor) return goTo(c, '/account/two-factor');
			requireRecentPassword(account);
			const { code } = await readForm(c, ['code']);
			const done = await accounts.enableTwoFactor(visitor(c), account, code).catch(refusal);
			if (done instanceof ApiError) {
				return refused(await setupPage(visit, inPlainWords(done, sentences)), done);
			}
			return { title: 'Your recovery codes', main: <RecoveryCodes codes={done} /> };
		}),
	);

	app.post(
		'/account/two-factor/codes',
		forMembers(async ({ c, account }) => {
			if (!account.twoFactor) return goTo(c, '/account/two-factor');
			requireRecentPassword(account);
			const codes = await accounts.renewRecoveryCodes(account.id);
			return { title: 'Your recovery codes', main: <RecoveryCodes codes={codes} /> };
		}),
	);

	app.get(
		'/account/two-factor/off',
		forMembers(({ account }) => ({
			title: 'Turn off two-factor authentication',
			main: (
				<Question
					title="Turn off two-factor authentication?"
					lead="A log-in then needs only your password. Your recovery codes no longer work."
					facts={[['Account', <Name>{account.email}</Name>]]}
					action="/account/two-factor/off"
					cancel="/account/two-factor"
					submit="Turn off"
				/>
			),
		})),
	);

	app.post(
		'/account/two-factor/off',
		forMembers(async ({ c, account }) => {
			requireRecentPassword(account);
			await accounts.disableTwoFactor(account.id);
			return goTo(c, '/account', 'two-factor-off');
		}),
	);
}

const sentences = {
	code: (message: string) =>
		message.includes('cannot')
			? 'The service cannot check codes of your app at the moment. Enter a recovery code, or ask the operator.'
			: 'The code is not correct, or it was already used. Wait for the next one.',
};
