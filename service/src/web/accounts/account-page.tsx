// The account of the visitor: its details, its security, its sessions, and its end.
import type { Member } from '../../accounts/sessions/sessions.ts';
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert } from '../elements/form.tsx';
import { Credits, Name, PageHead, TierBadge } from '../elements/text.tsx';
import { type Session, SessionList } from './session-list.tsx';

interface AccountPageProps {
	account: Member;
	sessions: Session[];
	paid: boolean;
	balance: number;
	/** Whether the address is not verified and a link can be sent to it. */
	verifiable: boolean;
	error?: ApiError;
}

export function AccountPage({
	account,
	sessions,
	paid,
	balance,
	verifiable,
	error,
}: AccountPageProps) {
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
				<section class="card">
					<h2>Two-factor authentication</h2>
					<p>
						{account.twoFactor
							? 'It is on: a log-in needs a code of your authenticator app.'
							: 'It is off. With it, a stolen password is not enough to log in.'}
					</p>
					<p class="actions">
						<a class="button" href="/account/two-factor">
							{account.twoFactor ? 'Manage' : 'Set up'}
						</a>
					</p>
				</section>
				<section class="card">
					<h2>Delete account</h2>
					<p>Your API keys, sessions and leases end. Your email address can be used again.</p>
					<p class="actions">
						<a class="button danger" href="/account/delete" data-confirm>
							Delete account
						</a>
					</p>
				</section>
			</div>
			<SessionList sessions={sessions} currentId={account.sessionId} />
		</>
	);
}
