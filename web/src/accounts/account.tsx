// The account of the visitor: its details, its password, its sessions, and its end.
import {
	changePassword,
	deleteAccount,
	endSession,
	endSessions,
	isPaidTier,
	listSessions,
} from 'board-access-core';
import Bowser from 'bowser';
import { Button, ButtonLink, PostForm } from '../elements/form.tsx';
import { Table } from '../elements/list.tsx';
import { ask } from '../elements/question.tsx';
import {
	Credits,
	Facts,
	Name,
	Operator,
	PageHead,
	StrongName,
	TierBadge,
	Time,
} from '../elements/text.tsx';
import { goTo, type MemberVisit, onSubmit, type Pages } from '../pages.tsx';
import { confirm } from './confirm.tsx';
import { AccountName, explainPassword, PasswordField } from './fields.tsx';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

export function accountPages({ members }: Pages) {
	members.get('/account', show);
	members.post('/account/password', submitPassword);
	members.post('/account/sessions/:id/end', end);
	members.post('/account/sessions/end-others', endOthers);
	members.get('/account/delete', askToDelete);
	members.post('/account/delete', remove);
}

async function show(visit: MemberVisit) {
	const { account, services } = visit;
	const sessions = await listSessions(services, account.id);
	const main = (
		<>
			<PageHead title="Account" />
			<div class="columns">
				{await detailsOf(visit)}
				{passwordForm(account.email)}
				<section class="card">
					<h2>Two-factor authentication</h2>
					<p>
						{account.twoFactor
							? 'It is on: a log-in needs a code of your authenticator app.'
							: 'It is off. With it, a stolen password is not enough to log in.'}
					</p>
					{account.twoFactor || account.isVerified ? (
						<p class="actions">
							<ButtonLink
								href="/account/two-factor"
								text={account.twoFactor ? 'Manage' : 'Set up'}
							/>
						</p>
					) : (
						<p>Verify your email address first.</p>
					)}
				</section>
				<section class="card">
					<h2>Delete account</h2>
					<p>
						Your API keys, sessions and leases end, and what you wrote and uploaded is deleted. Your
						email address can be used again.
					</p>
					<p class="actions">
						<ButtonLink href="/account/delete" text="Delete account" look="danger" />
					</p>
				</section>
			</div>
			{sessionList(sessions, account.sessionId)}
		</>
	);
	return { title: 'Account', main };
}

async function detailsOf({ account, services }: MemberVisit) {
	const { query } = services.database;
	const unverified = !account.isVerified && <span class="badge">Not verified</span>;
	const credits = (
		<a href="/credits">
			<Credits amount={account.balance} />
		</a>
	);
	return (
		<section class="card">
			<h2>You</h2>
			<Facts
				facts={[
					['Email address', [<Name>{account.email}</Name>, ' ', unverified]],
					['Role', account.role === 'admin' ? 'Administrator' : 'User'],
					['Tier', <TierBadge paid={await isPaidTier(query, account.id)} />],
					['Balance', credits],
					['Identifier', <code>{account.id}</code>],
				]}
			/>
			<p>
				<a href="/account/activity">Activity on your account</a>
			</p>
			{!account.isVerified && <Verification {...services} />}
			<form method="post" action="/logout">
				<Button text="Log out" />
			</form>
		</section>
	);
}

function Verification({ mail, settings }: MemberVisit['services']) {
	const why =
		'Your email address is not verified yet: you cannot open leases that are shared with it, or use two-factor authentication.';
	if (!mail) {
		return (
			<p>
				{why} This service sends no mail. Ask <Operator contact={settings.contact} /> to mark the
				address as verified.
			</p>
		);
	}
	return (
		<form method="post" action="/account/verification">
			<p>{why}</p>
			<Button text="Send the link again" />
		</form>
	);
}

function passwordForm(email: string) {
	return (
		<section class="card">
			<h2>Change password</h2>
			<PostForm action="/account/password" submit="Change password">
				<AccountName email={email} />
				<PasswordField name="current" label="Current password" />
				<PasswordField
					name="next"
					label="New password"
					fresh
					help="At least 8 characters. All your other sessions are logged out."
				/>
			</PostForm>
		</section>
	);
}

/** "Firefox on Windows", or the name that a program sends. */
function deviceName(userAgent: string) {
	const { browser, os } = Bowser.parse(userAgent || '?');
	return os.name ? `${browser.name} on ${os.name}` : userAgent || 'Unknown device';
}

/** The sessions of an account; `currentId` is the session of this visit. */
function sessionList(sessions: Session[], currentId: string) {
	const device = ({ user_agent }: Session) => <StrongName text={deviceName(user_agent)} />;
	const end = ({ id, user_agent }: Session) =>
		id === currentId ? (
			<span class="badge">This device</span>
		) : (
			<form method="post" action={`/account/sessions/${id}/end`}>
				<Button text="Log out" label={`Log out ${deviceName(user_agent)}`} />
			</form>
		);
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

const submitPassword = onSubmit({
	fields: ['current', 'next'],
	change: async ({ c, account, services, visitor }: MemberVisit, passwords) => {
		const wanted = { email: account.email, ...passwords };
		services.cookies.send(c, await changePassword(services, visitor, wanted));
		return goTo(c, '/account', 'password-changed');
	},
	again: show,
	sentences: { next: explainPassword, current: 'The current password is not correct.' },
});

async function end(visit: MemberVisit) {
	await confirm(visit);
	const { c, account, services } = visit;
	await endSession(services, account.id, c.req.param('id') ?? '');
	return goTo(c, '/account#sessions', 'session-ended');
}

async function endOthers(visit: MemberVisit) {
	await confirm(visit);
	const { c, account, services } = visit;
	await endSessions(services, account.id, account.sessionId);
	return goTo(c, '/account#sessions', 'sessions-ended');
}

function askToDelete(visit: MemberVisit) {
	return ask(visit, {
		title: 'Delete your account?',
		lead: 'You are logged out everywhere, your API keys stop working and your leases end immediately. Credits are lost. Labels, uploaded firmware, consoles and the details of your activity are deleted. What stays, without your address: the ledger, and which boards were leased when. This cannot be undone.',
		facts: [['Account', <Name>{visit.account.email}</Name>]],
		cancel: '/account',
		submit: 'Delete account',
	});
}

const remove = onSubmit({
	change: async (visit: MemberVisit) => {
		await confirm(visit, { always: true });
		const { id, sessionId } = visit.account;
		await deleteAccount(visit.services, id, sessionId);
		return goTo(visit.c, '/login', 'account-deleted');
	},
	again: askToDelete,
});
