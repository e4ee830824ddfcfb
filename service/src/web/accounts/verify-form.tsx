// Verifies an address by a button: mail programs open links on their own.
import { Name } from '../elements/text.tsx';

export function VerifyForm({ token, email }: { token: string; email: string }) {
	return (
		<section class="card narrow">
			<h1>Verify your address</h1>
			<p class="lead">
				<Name>{email}</Name> belongs to your account.
			</p>
			<form method="post" action="/verify">
				<input type="hidden" name="token" value={token} />
				<button type="submit" class="button primary wide">
					Verify address
				</button>
			</form>
		</section>
	);
}
