// What one-time links open, and the pages that send them by mail.

import { findLink, verifyAddress } from '../../accounts/links.ts';
import type { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import type { Parts } from '../../parts.ts';
import { Name } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type MemberVisit, type Pages, submitForm, type Visit } from '../pages.tsx';
import {
	AccountName,
	CardForm,
	EmailField,
	explainPassword,
	PasswordField,
	passwordHelp,
} from './card-form.tsx';
import { visitorOf } from './visitor.ts';

export function linkPages(
	app: ServiceApp,
	{ forAnyone, forMembers }: Pages,
	{ mail }: Pick<Parts, 'mail'>,
) {
	app.get(
		'/password',
		forAnyone((visit) => passwordForm(visit, visit.c.req.query('token') ?? '')),
	);
	app.post('/password', forAnyone(choosePassword));
	app.get('/verify', forAnyone(showVerification));
	app.post('/verify', forAnyone(verify));
	app.post('/account/verification', forMembers(requestVerification));
	// Without a mail server there is no page, so that nobody waits for a message.
	if (!mail) return;
	app.get(
		'/forgot',
		forAnyone(() => forgotForm()),
	);
	app.post('/forgot', forAnyone(forgot));
}

async function passwordForm({ parts }: Visit, token: string, error?: ApiError) {
	const { email, kind } = await findLink(parts.database.query, token);
	const title = kind === 'invite' ? 'Create your account' : 'Choose a new password';
	const lead = (
		<>
			For <Name>{email}</Name>.{kind === 'reset' && ' All your sessions are logged out.'}
		</>
	);
	const form = { title, lead, action: '/password', submit: 'Set password', error };
	const main = (
		<CardForm {...form} values={{ token }}>
			<AccountName email={email} />
			<PasswordField label="New password" fresh help={passwordHelp} error={error} />
		</CardForm>
	);
	return { title, main };
}

async function choosePassword(visit: Visit) {
	const { c, parts } = visit;
	const choice = await readForm(c, ['token', 'password']);
	return submitForm({
		change: async () => {
			await parts.accounts.choosePassword(visitorOf(visit), choice);
			return goTo(c, '/login', 'password-set');
		},
		again: (error) => passwordForm(visit, choice.token, error),
		sentences: { password: explainPassword },
	});
}

/** A button, because mail programs open links on their own. */
async function showVerification({ c, parts }: Visit) {
	const token = c.req.query('token') ?? '';
	const { email } = await findLink(parts.database.query, token, ['verify']);
	const title = 'Verify your address';
	const lead = (
		<>
			<Name>{email}</Name> belongs to your account.
		</>
	);
	const form = { title, lead, action: '/verify', submit: 'Verify address', values: { token } };
	return { title, main: <CardForm {...form} /> };
}

async function verify({ c, account, parts }: Visit) {
	const { token } = await readForm(c, ['token']);
	await verifyAddress(parts.database.query, token);
	return goTo(c, account ? '/account' : '/login', 'address-verified');
}

async function requestVerification(visit: MemberVisit) {
	const { c, account, parts } = visit;
	await parts.accounts.requestVerification(visitorOf(visit), account.email);
	return goTo(c, '/account', 'link-sent');
}

function forgotForm(email?: string, error?: ApiError) {
	const main = (
		<CardForm
			title="Forgot your password?"
			lead="Enter your email address to get a link to choose a new one."
			action="/forgot"
			submit="Send link"
			values={{}}
			error={error}
		>
			<EmailField value={email} error={error} />
		</CardForm>
	);
	return { title: 'Forgot your password', main };
}

async function forgot(visit: Visit) {
	const { c, parts } = visit;
	const { email } = await readForm(c, ['email']);
	return submitForm({
		change: async () => {
			await parts.accounts.forgotPassword(visitorOf(visit), email.trim());
			return goTo(c, '/login', 'link-sent');
		},
		again: (error) => forgotForm(email, error),
	});
}
