// The sign-up page of a service on which not everyone can sign up.
import { Operator } from '../elements/text.tsx';

export function SignUpClosed({ contact }: { contact: string | undefined }) {
	return (
		<section class="card narrow">
			<h1>By invitation only</h1>
			<p class="lead">
				Ask <Operator contact={contact} /> for an account.
			</p>
			<p class="muted">
				Already have an account? <a href="/login">Log in</a>
			</p>
		</section>
	);
}
