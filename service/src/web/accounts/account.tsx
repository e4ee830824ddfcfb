// One's own account: who one is, the tier, and a new password.
import type { Account } from '../../accounts/store.ts';
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/field.tsx';
import { PageHead } from '../elements/page-head.tsx';
import { Credits, TierBadge } from '../elements/tier.tsx';

interface AccountViewProps {
	account: Account;
	paid: boolean;
	balance: number;
	fault?: ApiError;
}

export function AccountView({ account, paid, balance, fault }: AccountViewProps) {
	return (
		<>
			<PageHead title="Account" />
			<div class="columns">
				<section class="card">
					<h2>You</h2>
					<dl class="facts">
						<dt>Email address</dt>
						<dd>{account.email}</dd>
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
					<form method="post" action="/logout">
						<button type="submit" class="button">
							Log out
						</button>
					</form>
				</section>
				<section class="card">
					<h2>Change password</h2>
					<form method="post" action="/account/password">
						<FormAlert
							fault={fault}
							labels={{ current: 'Current password', next: 'New password' }}
						/>
						<input type="hidden" name="email" autocomplete="username" value={account.email} />
						<Field
							name="current"
							label="Current password"
							fault={fault}
							input={{ type: 'password', autocomplete: 'current-password', maxlength: 128 }}
						/>
						<Field
							name="next"
							label="New password"
							fault={fault}
							help="At least 8 characters. Every other session is logged out."
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
