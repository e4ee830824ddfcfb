// Changing one's email address: a link to the new one makes the change.
import { addressOfLink, confirmEmailChange, requestEmailChange } from 'board-access-core';
import { CardForm, Field } from '../elements/form.tsx';
import { Name, Operator } from '../elements/text.tsx';
import { filledValues } from '../form.ts';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { confirm } from './confirm.tsx';

const path = '/account/email';
const title = 'Change the email address';

export function emailPages({ members }: Pages) {
	members.get(path, show);
	members.post(path, submit);
}

async function show(visit: MemberVisit) {
	const { c, account, services } = visit;
	const { link: token = c.req.query('token') } = filledValues(c);
	if (token) {
		const next = await addressOfLink(services, account, { token, kind: 'email' });
		const lead = ['From now on you log in with ', <Name>{next}</Name>, '.'];
		const form = { title, lead, action: path, submit: 'Change address', values: { link: token } };
		return { title, main: <CardForm {...form} /> };
	}
	if (services.mail) {
		const help = 'It gets a link that makes the change. The former address is informed.';
		const form = { action: path, submit: 'Send link', cancel: '/account' };
		return emailForm({ email: account.email, help, ...form });
	}
	const main = (
		<section class="card narrow">
			<h1>{title}</h1>
			<p class="lead">
				It is <Name>{account.email}</Name>.
			</p>
			<p>
				This service sends no mail. Ask <Operator contact={services.settings.contact} /> to change
				the address.
			</p>
		</section>
	);
	return { title, main };
}

type EmailForm = Record<'email' | 'help' | 'action' | 'submit' | 'cancel', string>;

export function emailForm({ email, help, ...form }: EmailForm) {
	const input = { type: 'email', autocomplete: 'email', maxlength: 254 };
	const main = (
		<CardForm title={title} lead={['It is ', <Name>{email}</Name>, '.']} {...form}>
			<Field name="email" label="New email address" help={help} input={input} />
		</CardForm>
	);
	return { title, main };
}

export const emailSentences = {
	email: (message: string) =>
		message.includes('already')
			? 'An account with this email address already exists.'
			: 'Email address is not valid.',
};

const submit = onSubmit({
	fields: ['email', 'link'],
	change: async (visit: MemberVisit, { email, link: token }) => {
		const { c, account, services, visitor } = visit;
		if (token) {
			await confirmEmailChange(services, account, token);
			return goTo(c, '/account', 'email-changed');
		}
		await confirm(visit, { always: true });
		await requestEmailChange(services, visitor, account, email.trim());
		return goTo(c, '/account', 'email-link-sent');
	},
	again: show,
	sentences: emailSentences,
});
