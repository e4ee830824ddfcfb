// Entries of the activity log: what happened, when, by whom, from where.
import type { ActivityRecord } from 'board-access-core';
import { Table } from '../elements/list.tsx';
import { CodeNote, inWords, Name, NameLink, Note, Time } from '../elements/text.tsx';

/** A table of entries. With `own`, all of them belong to the reader's account. */
export function activityTable(entries: ActivityRecord[], own = false) {
	const account = { label: 'Account', cell: AccountCell, class: 'who-cell' };
	const addressOf = ({ address }: ActivityRecord) =>
		address === null ? <span class="muted">–</span> : <code class="small">{address}</code>;
	return (
		<Table
			caption="Activity"
			rows={entries}
			columns={[
				{ label: 'What', cell: What, class: 'main-cell' },
				{ label: 'When', cell: When },
				...(own ? [] : [account]),
				{ label: 'By', cell: (entry) => actorOf(entry, own), class: 'who-cell' },
				{ label: 'Address', cell: addressOf, class: 'who-cell' },
			]}
		/>
	);
}

function What(entry: ActivityRecord) {
	const details = detailsText(entry);
	return (
		<>
			<strong>{kindText(entry.kind)}</strong>
			{entry.count > 1 && <span class="muted">{` ${entry.count} times`}</span>}
			<Note text={details} />
			<CodeNote text={entry.subject_id} />
		</>
	);
}

function When({ created_at, last_at }: ActivityRecord) {
	if (created_at === last_at) return <Time at={created_at} />;
	return [<Time at={created_at} />, ', last ', <Time at={last_at} />];
}

function AccountCell({ account_id, account_email }: ActivityRecord) {
	if (account_id === null) return <span class="muted">–</span>;
	if (account_email === null) return <code class="small">{account_id}</code>;
	return <NameLink href={`/admin/accounts/${account_id}`} name={account_email} />;
}

function actorOf(entry: ActivityRecord, own: boolean) {
	const { actor_email, api_key_id, via } = entry;
	return (
		<>
			{actor_email === null ? actorText(entry, own) : <Name>{actor_email}</Name>}
			{via === 'session' && <p class="small muted">on the web pages</p>}
			{via === 'mcp' && <p class="small muted">by a coding agent</p>}
			{via === 'command_line' && <p class="small muted">on the command line</p>}
			<CodeNote text={api_key_id} before="with" />
		</>
	);
}

type Kind = ActivityRecord['kind'];

/** Kinds that read better in other words than their name. */
const kindTexts: Partial<Record<Kind, string>> = {
	'account.invited': 'Invitation created',
	'account.verified': 'Email address verified',
	'account.email_changed': 'Email address changed',
	'account.reset_link_created': 'Password link created',
	'session.created': 'Logged in',
	'session.refused': 'Failed log-in',
	'password.reset': 'Password reset by a link',
	'password.refused': 'Incorrect current password',
	'two_factor.enabled': 'Two-factor authentication enabled',
	'two_factor.disabled': 'Two-factor authentication disabled',
	'two_factor.codes_replaced': 'New recovery codes',
	'lease.ended': 'Lease ended by an administrator',
	'lease.unshared': 'Lease no longer shared',
	'lease.viewed': 'Lease viewed by an administrator',
};

export function kindText(kind: Kind) {
	return kindTexts[kind] ?? inWords(kind.replace('key.', 'API key.'));
}

function detailsText({ details }: ActivityRecord) {
	return Object.entries(details)
		.filter(([, value]) => value !== null && value !== '')
		.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${[value].flat().join(', ')}`)
		.join('; ');
}

/** Who made the change, if there is no email address. */
function actorText({ actor_id, kind, via }: ActivityRecord, own: boolean) {
	if (via === 'command_line') return 'The operator';
	if (via === 'visitor') return own ? 'Not logged in' : 'A visitor';
	if (via === 'service') return 'The service';
	return actor_id ?? (kind === 'lease.unshared' ? 'The colleague' : 'An administrator');
}
