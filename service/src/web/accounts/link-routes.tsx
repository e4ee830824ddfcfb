// What one-time links open, and the pages that send them by mail.
import { findLink, verifyAddress } from '../../accounts/links.ts';
import { ApiError } from '../../errors.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceApp, ServiceContext } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { inPlainWords, readForm, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../pages.tsx';
import { ForgotForm } from './forgot-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { explainPassword } from './sentences.ts';
import { VerifyForm } from './verify-form.tsx';

export function accountLinkPages(
	app: ServiceApp,
	{
		accounts,
		database,
		mail,
		settings,
	}: Pick<Parts, 'accounts' | 'database' | 'mail' | 'settings'>,
	{ forAnyone, forMembers }: Pages,
) {
	const formFor = async (token: string, error?: ApiError) => {
		const { email, kind } = await findLink(database.query, token);
		const invited = kind === 'invite';
		return {
			title: invited ? 'Create your account' : 'Choose a new password',
			main: (
				<PasswordForm token={token} email={email} invited={invited} {...(error && { error })} />
			),
		};
	};

	const visitor = (c: ServiceContext) => ({
		headers: c.req.raw.headers,
		address: callerAddress(c, settings),
	});

	app.get(
		'/password',
		forAnyone(({ c }) => formFor(c.req.query('token') ?? '')),
	);

	app.post(
		'/password',
		forAnyone(async ({ c }) => {
			const choice = await readForm(c, ['token', 'password']);
			const done = await accounts.choosePassword(visitor(c), choice).catch(refusal);
			if (done instanceof ApiError && done.code === 'not_found') throw done;
			if (done instanceof ApiError) {
				const error = inPlainWords(done, { password: explainPassword });
				return refused(await formFor(choice.token, error), error);
			}
			return goTo(c, '/login', 'password-set');
		}),
	);

	app.get(
		'/verify',
		forAnyone(async ({ c }) => {
			const token = c.req.query('token') ?? '';
			const { email } = await findLink(database.query, token, ['verify']);
			return { title: 'Verify your address', main: <VerifyForm token={token} email={email} /> };
		}),
	);

	app.post(
		'/verify',
		forAnyone(async ({ c, account }) => {
			const { token } = await readForm(c, ['token']);
			await verifyAddress(database.query, token);
			return goTo(c, account ? '/account' : '/login', 'address-verified');
		}),
	);

	app.post(
		'/account/verification',
		forMembers(async ({ c, account }) => {
			await accounts.requestVerification(visitor(c), account.email);
			return goTo(c, '/account', 'link-sent');
		}),
	);

	// Without a mail server there is no page, so that nobody waits for a message.
	if (!mail) return;

	const forgotPage = (email?: string, error?: ApiError) => ({
		title: 'Forgot your password',
		main: <ForgotForm {...(email && { email })} {...(error && { error })} />,
	});

	app.get(
		'/forgot',
		forAnyone(() => forgotPage()),
	);

	app.post(
		'/forgot',
		forAnyone(async ({ c }) => {
			const { email } = await readForm(c, ['email']);
			const done = await accounts.forgotPassword(visitor(c), email.trim()).catch(refusal);
			if (done instanceof ApiError) return refused(forgotPage(email, done), done);
			return goTo(c, '/login', 'link-sent');
		}),
	);
}
