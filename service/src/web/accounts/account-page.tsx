// The account of the visitor: its details, its security, its sessions, and its end.
import type { listSessions, Member } from '../../accounts/sessions/sessions.ts';
import type { ApiError } from '../../errors.ts';
import { Button, ButtonLink, FormAlert } from '../elements/form.tsx';
import { Table } from '../elements/list.tsx';
import { Credits, Facts, Name, PageHead, StrongName, TierBadge, Time } from '../elements/text.tsx';
import { AccountName, PasswordField } from './card-form.tsx';
import { deviceName } from './device-name.ts';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

interface AccountPageProps {
	account: Member;
	sessions: Session[];
	paid: boolean;
	balance: number;
	/** Whether the address is not verified and a link can be sent to it. */
	verifiable: boolean;
	error?: ApiError | undefined;
}

export function AccountPage({ account, sessions, error, ...details }: AccountPageProps) {
	return (
		<>
			<PageHead title="Account" />
			<div class="columns">
				{detailsOf(account, details)}
				{passwordForm(account.email, error)}
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
					<p>
						Your API keys, sessions and leases end, and what you wrote and uploaded is deleted. Your
						email address can be used again.
					</p>
					<p class="actions">
						<ButtonLink href="/account/delete" text="Delete account" look="danger" asks />
					</p>
				</section>
			</div>
			{sessionList(sessions, account.sessionId)}
		</>
	);
}

type Details = Pick<AccountPageProps, 'paid' | 'balance' | 'verifiable'>;

function detailsOf(account: Member, { paid, balance, verifiable }: Details) {
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

function passwordForm(email: string, error: ApiError | undefined) {
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

/** Where an account is logged in; `currentId` is the session in which the page is shown. */
function sessionList(sessions: Session[], currentId: string) {
	const device = ({ user_agent }: Session) => <StrongName text={deviceName(user_agent)} />;
	const end = (session: Session) =>
		session.id === currentId ? <span class="badge">This device</span> : endSession(session);
	return (
		<section>
			<h2 id="sessions">Sessions</h2>
			<p class="muted">
				Where you are logged in. End a session that is not yours, and change your password.
			</p>
			<Table
				caption="Sessions"
				rows={sessions}
				columns={[
					{ label: 'Device', cell: device, class: 'main-cell' },
					{ label: 'Address', cell: ({ ip_address }) => ip_address || 'Unknown' },
					{ label: 'Logged in', cell: ({ created_at }) => <Time at={created_at} /> },
					{ label: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
					{ label: 'Action', cell: end },
				]}
			/>
			{sessions.length > 1 && (
				<form method="post" action="/account/sessions/end-others">
					<Button text="Log out all other sessions" />
				</form>
			)}
		</section>
	);
}

function endSession({ id, user_agent }: Session) {
	return (
		<div class="row-actions">
			<form method="post" action={`/account/sessions/${id}/end`}>
				<Button text="Log out" label={`Log out ${deviceName(user_agent)}`} />
			</form>
		</div>
	);
}
