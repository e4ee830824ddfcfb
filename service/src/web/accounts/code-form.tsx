// The second step of a log-in: a code of the authenticator app.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/form.tsx';

export function CodeForm({ next, error }: { next: string; error?: ApiError }) {
	return (
		<section class="card narrow">
			<h1>Enter a code</h1>
			<p class="lead">Open your authenticator app and enter the code that it shows.</p>
			<form method="post" action="/login/code">
				<FormAlert error={error} />
				<input type="hidden" name="next" value={next} />
				<Field
					name="code"
					label="Code"
					error={error}
					help="Without your app, enter one of your recovery codes."
					input={{ autocomplete: 'one-time-code', maxlength: 40, autocapitalize: 'off' }}
				/>
				<button type="submit" class="button primary wide">
					Log in
				</button>
			</form>
			<p class="muted">
				<a href="/login">Start again</a>
			</p>
		</section>
	);
}
