// The pages that one-time links open, and those that send the links by mail.
import {
	choosePassword,
	findLink,
	forgotPassword,
	requestVerification,
	requireOwnLink,
	verifyAddress,
} from 'board-access-core';
import { CardForm } from '../elements/form.tsx';
import { Name } from '../elements/text.tsx';
import { filledValues, readForm } from '../form.ts';
import {
	goTo,
	type MemberVisit,
	onSubmit,
	type Pages,
	type Services,
	type Visit,
} from '../pages.tsx';
import {
	AccountName,
	EmailField,
	explainPassword,
	PasswordField,
	passwordHelp,
} from './fields.tsx';

export function linkPages({ anyone, members }: Pages, { mail }: Pick<Services, 'mail'>) {
	anyone.get('/password', passwordForm);
	anyone.post('/password', submitPassword);
	members.get('/verify', showVerification);
	members.post('/verify', verify);
	members.post('/account/verification', sendVerification);
	// Without a mail server, there is no page to ask for a link.
	if (!mail) return;
	anyone.get('/forgot', forgotForm);
	anyone.post('/forgot', forgot);
}

async function passwordForm({ c, services }: Visit) {
	const { token = c.req.query('token') ?? '' } = filledValues(c);
	const { email, kind } = await findLink(services, token);
	const title = kind === 'invite' ? 'Create your account' : 'Choose a new password';
	const effect = kind === 'reset' && ' All your sessions are logged out.';
	const lead = ['For ', <Name>{email}</Name>, '.', effect];
	const form = { title, lead, action: '/password', submit: 'Set password', values: { token } };
	const main = (
		<CardForm {...form}>
			<AccountName email={email} />
			<PasswordField label="New password" fresh help={passwordHelp} />
		</CardForm>
	);
	return { title, main };
}

const submitPassword = onSubmit({
	fields: ['token', 'password'],
	change: async ({ c, services, visitor }: Visit, choice) => {
		await choosePassword(services, visitor, choice);
		return goTo(c, '/login', 'password-set');
	},
	again: passwordForm,
	sentences: { password: explainPassword },
});

/** Has a button, because mail programs open links on their own. */
async function showVerification({ c, account, services }: MemberVisit) {
	const token = c.req.query('token') ?? '';
	await requireOwnLink(services, account, token);
	const title = 'Verify your address';
	const lead = [<Name>{account.email}</Name>, ' belongs to your account.'];
	const form = { title, lead, action: '/verify', submit: 'Verify address', values: { token } };
	return { title, main: <CardForm {...form} /> };
}

async function verify({ c, account, services }: MemberVisit) {
	const { token } = await readForm(c, ['token']);
	await verifyAddress(services, account, token);
	return goTo(c, '/account', 'address-verified');
}

async function sendVerification({ c, account, services, visitor }: MemberVisit) {
	await requestVerification(services, visitor, account.email);
	return goTo(c, '/account', 'link-sent');
}

function forgotForm() {
	const main = (
		<CardForm
			title="Forgot your password?"
			lead="Enter your email address to get a link to choose a new one."
			action="/forgot"
			submit="Send link"
		>
			<EmailField />
		</CardForm>
	);
	return { title: 'Forgot your password', main };
}

const forgot = onSubmit({
	fields: ['email'],
	change: async ({ c, services, visitor }: Visit, { email }) => {
		await forgotPassword(services, visitor, email.trim());
		return goTo(c, '/login', 'link-sent');
	},
	again: forgotForm,
});
