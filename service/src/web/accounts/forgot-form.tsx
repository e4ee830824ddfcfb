// Asks for the address to which a link for a new password is sent.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/form.tsx';

export function ForgotForm({ email, error }: { email?: string; error?: ApiError }) {
	return (
		<section class="card narrow">
			<h1>Forgot your password?</h1>
			<p class="lead">Enter your email address to get a link to choose a new one.</p>
			<form method="post" action="/forgot">
				<FormAlert error={error} />
				<Field
					name="email"
					label="Email address"
					value={email}
					error={error}
					input={{ type: 'email', autocomplete: 'username', maxlength: 254 }}
				/>
				<button type="submit" class="button primary wide">
					Send link
				</button>
			</form>
		</section>
	);
}
