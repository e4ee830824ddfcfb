// The sign-up form and the log-in form.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/form.tsx';
import { withQuery } from '../paths.ts';

export type SignInKind = 'sign-up' | 'log-in';

interface SignInFormProps {
	kind: SignInKind;
	/** The page to open afterwards. */
	next: string;
	email?: string;
	error?: ApiError;
	/** Whether a forgotten password can be replaced by mail. */
	forgettable?: boolean;
	/** Whether everyone can sign up. */
	canSignUp?: boolean;
}

const words = {
	'sign-up': {
		title: 'Create your account',
		lead: 'The free tier shows every board and lets you use the free ones. API keys need credits.',
		action: '/signup',
		submit: 'Sign up',
		passwords: 'new-password',
		other: { question: 'Already have an account?', path: '/login', name: 'Log in' },
	},
	'log-in': {
		title: 'Log in',
		lead: 'Welcome back.',
		action: '/login',
		submit: 'Log in',
		passwords: 'current-password',
		other: { question: 'New here?', path: '/signup', name: 'Sign up' },
	},
} as const;

export function SignInForm(props: SignInFormProps) {
	const { kind, next, email, error, forgettable, canSignUp } = props;
	const { title, lead, action, submit, passwords, other } = words[kind];
	return (
		<section class="card narrow">
			<h1>{title}</h1>
			<p class="lead">{lead}</p>
			<form method="post" action={action}>
				<FormAlert error={error} />
				<input type="hidden" name="next" value={next} />
				<Field
					name="email"
					label="Email address"
					value={email}
					error={error}
					input={{ type: 'email', autocomplete: 'username', maxlength: 254 }}
				/>
				<Field
					name="password"
					label="Password"
					error={error}
					help={
						kind === 'sign-up' ? 'At least 8 characters. A long sentence works best.' : undefined
					}
					input={{ type: 'password', autocomplete: passwords, maxlength: 128 }}
				/>
				<button type="submit" class="button primary wide">
					{submit}
				</button>
			</form>
			{kind === 'log-in' && forgettable && (
				<p class="muted">
					<a href="/forgot">Forgot your password?</a>
				</p>
			)}
			{(kind === 'sign-up' || canSignUp) && (
				<p class="muted">
					{other.question} <a href={withQuery(other.path, { next })}>{other.name}</a>
				</p>
			)}
		</section>
	);
}
