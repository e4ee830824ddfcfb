// The page of a one-time link, on which a person chooses a password.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/form.tsx';
import { Name } from '../elements/text.tsx';

interface PasswordFormProps {
	token: string;
	email: string;
	/** Whether the link invites to a new account. */
	invited: boolean;
	error?: ApiError;
}

export function PasswordForm({ token, email, invited, error }: PasswordFormProps) {
	return (
		<section class="card narrow">
			<h1>{invited ? 'Create your account' : 'Choose a new password'}</h1>
			<p class="lead">
				For <Name>{email}</Name>.{!invited && ' All your sessions are logged out.'}
			</p>
			<form method="post" action="/password">
				<FormAlert error={error} />
				<input type="hidden" name="token" value={token} />
				<input type="hidden" name="email" autocomplete="username" value={email} />
				<Field
					name="password"
					label="New password"
					error={error}
					help="At least 8 characters. A long sentence works best."
					input={{ type: 'password', autocomplete: 'new-password', maxlength: 128 }}
				/>
				<button type="submit" class="button primary wide">
					Set password
				</button>
			</form>
		</section>
	);
}
