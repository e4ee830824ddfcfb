// The two doors: one form for those who come the first time, one for those who come back.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/field.tsx';
import { withQuery } from '../local-path.ts';

export type EntranceKind = 'sign-up' | 'log-in';

interface EntranceProps {
	kind: EntranceKind;
	/** Where to go afterwards. */
	next: string;
	email?: string;
	fault?: ApiError;
}

const words = {
	'sign-up': {
		title: 'Create your account',
		lead: 'The free tier lets you see every board. Top up credits when you want API keys.',
		action: '/signup',
		submit: 'Sign up',
		passwords: 'new-password',
		other: { question: 'Have an account already?', path: '/login', name: 'Log in' },
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

export function Entrance({ kind, next, email, fault }: EntranceProps) {
	const { title, lead, action, submit, passwords, other } = words[kind];
	return (
		<section class="card narrow">
			<h1>{title}</h1>
			<p class="lead">{lead}</p>
			<form method="post" action={action}>
				<FormAlert fault={fault} labels={{ email: 'Email address', password: 'Password' }} />
				<input type="hidden" name="next" value={next} />
				<Field
					name="email"
					label="Email address"
					value={email}
					fault={fault}
					input={{ type: 'email', autocomplete: 'username', maxlength: 254 }}
				/>
				<Field
					name="password"
					label="Password"
					fault={fault}
					help={kind === 'sign-up' ? 'At least 8 characters. A long sentence is best.' : undefined}
					input={{ type: 'password', autocomplete: passwords, maxlength: 128 }}
				/>
				<button type="submit" class="button primary wide">
					{submit}
				</button>
			</form>
			<p class="muted">
				{other.question} <a href={withQuery(other.path, { next })}>{other.name}</a>
			</p>
		</section>
	);
}
