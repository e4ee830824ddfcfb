// Asks for the password again before something that a stolen session must not do. It holds the form
// that led here, so that nothing has to be entered twice.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/form.tsx';

interface ConfirmFormProps {
	email: string;
	/** Where to go on. */
	to: string;
	method: 'get' | 'post';
	/** The fields of the form that led here. */
	fields: readonly (readonly [name: string, value: string])[];
	error?: ApiError;
}

export function ConfirmForm({ email, to, method, fields, error }: ConfirmFormProps) {
	return (
		<section class="card narrow">
			<h1>Confirm that it is you</h1>
			<p class="lead">Enter your password to continue. It is not asked for again for 15 minutes.</p>
			<form method="post" action="/confirm">
				<FormAlert error={error} />
				<input type="hidden" name="confirm_to" value={to} />
				<input type="hidden" name="confirm_method" value={method} />
				<input type="hidden" name="confirm_email" autocomplete="username" value={email} />
				{fields.map(([name, value]) => (
					<input type="hidden" name={name} value={value} />
				))}
				<Field
					name="confirm_password"
					label="Password"
					error={error}
					input={{ type: 'password', autocomplete: 'current-password', maxlength: 128 }}
				/>
				<button type="submit" class="button primary wide">
					Continue
				</button>
			</form>
		</section>
	);
}
