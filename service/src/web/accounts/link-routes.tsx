// What one-time links open: a page to choose a password.
import { findLink } from '../../accounts/links.ts';
import { ApiError } from '../../errors.ts';
import { callerAddress } from '../../http/address.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { inPlainWords, readForm, refusal } from '../form.ts';
import { goTo, type Pages, refused } from '../pages.tsx';
import { PasswordForm } from './password-form.tsx';
import { explainPassword } from './sentences.ts';

export function accountLinkPages(
	app: ServiceApp,
	{ accounts, database, settings }: Pick<Parts, 'accounts' | 'database' | 'settings'>,
	{ forAnyone }: Pages,
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

	app.get(
		'/password',
		forAnyone(({ c }) => formFor(c.req.query('token') ?? '')),
	);

	app.post(
		'/password',
		forAnyone(async ({ c }) => {
			const choice = await readForm(c, ['token', 'password']);
			const visitor = { headers: c.req.raw.headers, address: callerAddress(c, settings) };
			const done = await accounts.choosePassword(visitor, choice).catch(refusal);
			if (done instanceof ApiError && done.code === 'not_found') throw done;
			if (done instanceof ApiError) {
				const error = inPlainWords(done, { password: explainPassword });
				return refused(await formFor(choice.token, error), error);
			}
			return goTo(c, '/login', 'password-set');
		}),
	);
}
