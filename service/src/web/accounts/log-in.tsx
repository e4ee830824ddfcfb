// Signing up, and logging in and out.

import type { ApiError } from '../../errors.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { Operator } from '../elements/text.tsx';
import { readForm } from '../form.ts';
import { goTo, type Pages, submitForm, type Visit } from '../pages.tsx';
import { localPath, withQuery } from '../paths.ts';
import {
	CardForm,
	EmailField,
	explainPassword,
	PasswordField,
	passwordHelp,
} from './card-form.tsx';
import { CodeField, codeSentences } from './two-factor-page.tsx';
import { sendCookies, visitorOf } from './visitor.ts';

export function logInPages(app: ServiceApp, { forAnyone }: Pages) {
	for (const kind of ['signUp', 'logIn'] as const) {
		app.get(
			words[kind].action,
			forAnyone((visit) => show(visit, kind)),
		);
		app.post(
			words[kind].action,
			forAnyone((visit) => submit(visit, kind)),
		);
	}
	app.get('/login/code', forAnyone(showCode));
	app.post('/login/code', forAnyone(submitCode));
	app.post('/logout', forAnyone(logOut));
}

const words = {
	signUp: {
		action: '/signup',
		submit: 'Sign up',
		title: 'Create your account',
		lead: 'The free tier shows every board and lets you use the free ones. API keys need credits.',
		help: passwordHelp,
		question: 'Already have an account?',
		other: 'logIn',
	},
	logIn: {
		action: '/login',
		submit: 'Log in',
		title: 'Log in',
		lead: 'Welcome back.',
		help: undefined,
		question: 'New here?',
		other: 'signUp',
	},
} as const;

type Kind = keyof typeof words;

function show(visit: Visit, kind: Kind) {
	const { c, account, parts } = visit;
	const next = localPath(c.req.query('next'), '/boards');
	if (account) return goTo(c, next);
	if (kind === 'logIn' || parts.settings.signup === 'open') return form(visit, kind, { next });
	const main = (
		<section class="card narrow">
			<h1>By invitation only</h1>
			<p class="lead">
				Ask <Operator contact={parts.settings.contact} /> for an account.
			</p>
			<p class="muted">
				Already have an account? <a href="/login">Log in</a>
			</p>
		</section>
	);
	return { title: words[kind].submit, main };
}

function form(
	{ parts: { mail, settings } }: Visit,
	kind: Kind,
	{ next, email, error }: { next: string; email?: string; error?: ApiError },
) {
	const { help, question, other, ...rest } = words[kind];
	const { action, submit } = words[other];
	const below = (
		<>
			{kind === 'logIn' && mail && (
				<p class="muted">
					<a href="/forgot">Forgot your password?</a>
				</p>
			)}
			{(other === 'logIn' || settings.signup === 'open') && (
				<p class="muted">
					{question} <a href={withQuery(action, { next })}>{submit}</a>
				</p>
			)}
		</>
	);
	const main = (
		<CardForm {...rest} values={{ next }} error={error} below={below}>
			<EmailField value={email} error={error} />
			<PasswordField fresh={kind === 'signUp'} help={help} error={error} />
		</CardForm>
	);
	return { title: rest.submit, main };
}

async function submit(visit: Visit, kind: Kind) {
	const { c, parts } = visit;
	const { email, password, next: wanted } = await readForm(c, ['email', 'password', 'next']);
	const next = localPath(wanted, '/boards');
	return submitForm({
		change: async () => {
			const credentials = { email: email.trim(), password };
			const entry = await parts.accounts[kind](visitorOf(visit), credentials);
			sendCookies(c, entry);
			if (entry.needsCode) return goTo(c, withQuery('/login/code', { next }));
			return goTo(c, next, kind === 'signUp' ? 'welcome' : undefined);
		},
		again: (error) => form(visit, kind, { next, email, error }),
		sentences: {
			email: (message) =>
				message.includes('already')
					? 'An account with this email address already exists. Log in instead.'
					: 'Email address is not valid.',
			password: explainPassword,
		},
	});
}

function codeForm(next: string, error?: ApiError) {
	const main = (
		<CardForm
			title="Enter a code"
			lead="Open your authenticator app and enter the code that it shows."
			action="/login/code"
			submit="Log in"
			values={{ next }}
			error={error}
			below={
				<p class="muted">
					<a href="/login">Start again</a>
				</p>
			}
		>
			<CodeField
				error={error}
				help="Without your app, enter one of your recovery codes."
				input={{ maxlength: 40, autocapitalize: 'off' }}
			/>
		</CardForm>
	);
	return { title: 'Enter a code', main };
}

async function showCode(visit: Visit) {
	const next = localPath(visit.c.req.query('next'), '/boards');
	return (await awaitsCode(visit)) ? codeForm(next) : startAgain(visit, next);
}

async function submitCode(visit: Visit) {
	const { c, parts } = visit;
	const { code, next: wanted } = await readForm(c, ['code', 'next']);
	const next = localPath(wanted, '/boards');
	if (!(await awaitsCode(visit))) return startAgain(visit, next);
	return submitForm({
		change: async () => {
			sendCookies(c, await parts.accounts.enterCode(visitorOf(visit), code));
			return goTo(c, next);
		},
		again: (error) => codeForm(next, error),
		sentences: codeSentences,
	});
}

function awaitsCode(visit: Visit) {
	return visit.parts.accounts.awaitsCode(visitorOf(visit));
}

function startAgain({ c }: Visit, next: string) {
	return goTo(c, withQuery('/login', { next }));
}

async function logOut(visit: Visit) {
	sendCookies(visit.c, await visit.parts.accounts.logOut(visitorOf(visit)));
	return goTo(visit.c, '/', 'logged-out');
}
