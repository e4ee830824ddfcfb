// The account of the visitor: its details, and a form for a new password.
import type { Account } from '../../accounts/store.ts';
import type { ApiError } from '../../errors.ts';
import { Credits, TierBadge } from '../elements/credits.tsx';
import { Field, FormAlert } from '../elements/field.tsx';
import { Name } from '../elements/name.tsx';
import { PageHead } from '../elements/page-head.tsx';

interface AccountPageProps {
	account: Account;
	paid: boolean;
	balance: number;
	/** Whether the address is not verified and a link can be sent to it. */
	verifiable: boolean;
	error?: ApiError;
}

export function AccountPage({ account, paid, balance, verifiable, error }: AccountPageProps) {
	return (
		<>
			<PageHead title="Account" />
			<div class="columns">
				<section class="card">
					<h2>You</h2>
					<dl class="facts">
						<dt>Email address</dt>
						<dd>
							<Name>{account.email}</Name>
						</dd>
						<dt>Role</dt>
						<dd>{account.role === 'admin' ? 'Administrator' : 'User'}</dd>
						<dt>Tier</dt>
						<dd>
							<TierBadge paid={paid} />
						</dd>
						<dt>Balance</dt>
						<dd>
							<a href="/credits">
								<Credits amount={balance} />
							</a>
						</dd>
						<dt>Identifier</dt>
						<dd>
							<code>{account.id}</code>
						</dd>
					</dl>
					<p>
						<a href="/account/activity">Activity on your account</a>
					</p>
					{verifiable && (
						<form method="post" action="/account/verification">
							<p>Your email address is not verified yet.</p>
							<button type="submit" class="button">
								Send the link again
							</button>
						</form>
					)}
					<form method="post" action="/logout">
						<button type="submit" class="button">
							Log out
						</button>
					</form>
				</section>
				<section class="card">
					<h2>Change password</h2>
					<form method="post" action="/account/password">
						<FormAlert error={error} />
						<input type="hidden" name="email" autocomplete="username" value={account.email} />
						<Field
							name="current"
							label="Current password"
							error={error}
							input={{ type: 'password', autocomplete: 'current-password', maxlength: 128 }}
						/>
						<Field
							name="next"
							label="New password"
							error={error}
							help="At least 8 characters. All your other sessions are logged out."
							input={{ type: 'password', autocomplete: 'new-password', maxlength: 128 }}
						/>
						<button type="submit" class="button primary">
							Change password
						</button>
					</form>
				</section>
			</div>
		</>
	);
}
