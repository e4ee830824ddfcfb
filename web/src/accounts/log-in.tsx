// Signing up, and logging in and out.
import { awaitsCode, enterCode, logIn, logOut, signUp } from 'board-access-core';
import { CardForm } from '../elements/form.tsx';
import { Operator } from '../elements/text.tsx';
import { filledValues } from '../form.ts';
import { goTo, onSubmit, type Pages, type Visit } from '../pages.tsx';
import { localPath, withQuery } from '../paths.ts';
import {
	CodeField,
	codeSentences,
	EmailField,
	explainPassword,
	PasswordField,
	passwordHelp,
	recoveryHelp,
} from './fields.tsx';

export function logInPages({ anyone }: Pages) {
	anyone.get('/', ({ c, account }) => goTo(c, account ? '/boards' : '/login'));
	for (const kind of ['signUp', 'logIn'] as const) {
		anyone.get(words[kind].action, (visit) => show(visit, kind));
		anyone.post(words[kind].action, enterAs(kind));
	}
	anyone.get('/login/code', showCode);
	anyone.post('/login/code', submitCode);
	anyone.post('/logout', submitLogOut);
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
		lead: 'Here you lease development boards, flash them, and use their consoles.',
		help: undefined,
		question: 'New here?',
		other: 'signUp',
	},
} as const;

type Kind = keyof typeof words;

/** The page that the visitor opened before logging in. */
function nextOf({ c }: Visit, { next = c.req.query('next') } = filledValues(c)) {
	return localPath(next, '/boards');
}

function show(visit: Visit, kind: Kind) {
	const { c, account, services } = visit;
	const next = nextOf(visit);
	if (account) return goTo(c, next);
	if (kind === 'logIn' || services.settings.signup === 'open') return form(visit, kind);
	return goTo(c, withQuery('/login', { next }));
}

function form(visit: Visit, kind: Kind) {
	const { settings, mail } = visit.services;
	const { contact, signup } = settings;
	const next = nextOf(visit);
	const { help, question, other, ...rest } = words[kind];
	const below = (
		<>
			{kind === 'logIn' && (
				<p class="muted">
					{mail ? (
						<a href="/forgot">Forgot your password?</a>
					) : (
						<>
							Forgot your password? Ask <Operator contact={contact} /> for a link to choose a new
							one.
						</>
					)}
				</p>
			)}
			<p class="muted">
				{question}{' '}
				{other === 'logIn' || signup === 'open' ? (
					<a href={withQuery(words[other].action, { next })}>{words[other].submit}</a>
				) : (
					<>
						Ask <Operator contact={contact} /> for an account.
					</>
				)}
			</p>
		</>
	);
	const main = (
		<CardForm {...rest} values={{ next }} below={below}>
			<EmailField />
			<PasswordField fresh={kind === 'signUp'} help={help} />
		</CardForm>
	);
	return { title: rest.submit, main };
}

function enterAs(kind: Kind) {
	return onSubmit({
		fields: ['email', 'password', 'next'],
		change: async (visit: Visit, { email, password, ...sent }) => {
			const { c, services, visitor } = visit;
			const next = nextOf(visit, sent);
			const enter = kind === 'signUp' ? signUp : logIn;
			const tokens = await enter(services, visitor, { email: email.trim(), password });
			services.cookies.send(c, tokens);
			if (tokens.logIn) return goTo(c, withQuery('/login/code', { next }));
			return goTo(c, next, kind === 'signUp' ? 'welcome' : undefined);
		},
		again: (visit) => form(visit, kind),
		sentences: {
			email: (message) =>
				message.includes('already')
					? 'An account with this email address already exists. Log in instead.'
					: 'Email address is not valid.',
			password: explainPassword,
		},
	});
}

async function showCode(visit: Visit) {
	const { c, services, visitor } = visit;
	const next = nextOf(visit);
	if (await awaitsCode(services, visitor)) return codeForm(visit);
	return goTo(c, withQuery('/login', { next }));
}

function codeForm(visit: Visit) {
	const below = (
		<p class="muted">
			<a href="/login">Start again</a>
		</p>
	);
	const main = (
		<CardForm
			title="Enter a code"
			lead="Open your authenticator app and enter the code that it shows."
			action="/login/code"
			submit="Log in"
			values={{ next: nextOf(visit) }}
			below={below}
		>
			<CodeField help={recoveryHelp} />
		</CardForm>
	);
	return { title: 'Enter a code', main };
}

const submitCode = onSubmit({
	fields: ['code', 'next'],
	change: async (visit: Visit, { code, ...sent }) => {
		const { c, services, visitor } = visit;
		const next = nextOf(visit, sent);
		if (!(await awaitsCode(services, visitor))) return goTo(c, withQuery('/login', { next }));
		services.cookies.send(c, await enterCode(services, visitor, code));
		return goTo(c, next);
	},
	again: codeForm,
	sentences: codeSentences,
});

async function submitLogOut({ c, services, visitor }: Visit) {
	services.cookies.send(c, await logOut(services, visitor));
	return goTo(c, '/login', 'logged-out');
}
