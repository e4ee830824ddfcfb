// The account of the visitor: its details, its security, its sessions, and its end.

import type { Member } from '../../accounts/sessions/sessions.ts';
import type { ApiError } from '../../errors.ts';
import { Button, ButtonLink, FormAlert } from '../elements/form.tsx';
import { Credits, Facts, Name, PageHead, TierBadge } from '../elements/text.tsx';
import { AccountName, PasswordField } from './card-form.tsx';
import { type Session, SessionList } from './session-list.tsx';

interface AccountPageProps {
	account: Member;
	sessions: Session[];
	paid: boolean;
	balance: number;
	/** Whether the address is not verified and a link can be sent to it. */
	verifiable: boolean;
	error?: ApiError | undefined;
}

export function AccountPage({ account, sessions, ...props }: AccountPageProps) {
	return (
		<>
			<PageHead title="Account" />
			<div class="columns">
				<You account={account} {...props} />
				<ChangePassword email={account.email} error={props.error} />
				<section class="card">
					<h2>Two-factor authentication</h2>
					<p>
						{account.twoFactor
							? 'It is on: a log-in needs a code of your authenticator app.'
							: 'It is off. With it, a stolen password is not enough to log in.'}
					</p>
					<p class="actions">
						<ButtonLink href="/account/two-factor" text={account.twoFactor ? 'Manage' : 'Set up'} />
					</p>
				</section>
				<section class="card">
					<h2>Delete account</h2>
					<p>Your API keys, sessions and leases end. Your email address can be used again.</p>
					<p class="actions">
						<ButtonLink href="/account/delete" text="Delete account" look="danger" asks />
					</p>
				</section>
			</div>
			<SessionList sessions={sessions} currentId={account.sessionId} />
		</>
	);
}

function You({ account, paid, balance, verifiable }: Omit<AccountPageProps, 'sessions'>) {
	const credits = (
		<a href="/credits">
			<Credits amount={balance} />
		</a>
	);
	return (
		<section class="card">
			<h2>You</h2>
			<Facts
				facts={[
					['Email address', <Name>{account.email}</Name>],
					['Role', account.role === 'admin' ? 'Administrator' : 'User'],
					['Tier', <TierBadge paid={paid} />],
					['Balance', credits],
					['Identifier', <code>{account.id}</code>],
				]}
			/>
			<p>
				<a href="/account/activity">Activity on your account</a>
			</p>
			{verifiable && (
				<form method="post" action="/account/verification">
					<p>Your email address is not verified yet.</p>
					<Button text="Send the link again" />
				</form>
			)}
			<form method="post" action="/logout">
				<Button text="Log out" />
			</form>
		</section>
	);
}

function ChangePassword({ email, error }: { email: string; error: ApiError | undefined }) {
	return (
		<section class="card">
			<h2>Change password</h2>
			<form method="post" action="/account/password">
				<FormAlert error={error} />
				<AccountName email={email} />
				<PasswordField name="current" label="Current password" error={error} />
				<PasswordField
					name="next"
					label="New password"
					fresh
					error={error}
					help="At least 8 characters. All your other sessions are logged out."
				/>
				<Button text="Change password" look="primary" />
			</form>
		</section>
	);
}
