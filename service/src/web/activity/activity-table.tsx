// Entries of the activity log: what happened, when, by whom, from where.
import type { ActivityRecord } from '../../activity/store.ts';
import { Table } from '../elements/list.tsx';
import { Name, NameLink, Time } from '../elements/text.tsx';
import { actorWords, detailsText, kindWords } from './words.ts';

interface ActivityTableProps {
	entries: ActivityRecord[];
	/** Whether the reader sees the own account only. */
	own: boolean;
}

export function ActivityTable({ entries, own }: ActivityTableProps) {
	const account = { label: 'Account', cell: AccountCell };
	return (
		<Table
			caption="Activity"
			rows={entries}
			columns={[
				{ label: 'What', cell: What, class: 'main-cell' },
				{ label: 'When', cell: When },
				...(own ? [] : [account]),
				{ label: 'By', cell: (entry) => <By entry={entry} own={own} /> },
				{ label: 'Address', cell: ({ address }) => <Fixed text={address} /> },
			]}
		/>
	);
}

function What(entry: ActivityRecord) {
	const details = detailsText(entry);
	return (
		<>
			<strong>{kindWords[entry.kind]}</strong>
			{entry.count > 1 && <span class="muted">{` ${entry.count} times`}</span>}
			{details && (
				<p class="small muted">
					<Name>{details}</Name>
				</p>
			)}
			{entry.subject_id && (
				<p class="small">
					<code>{entry.subject_id}</code>
				</p>
			)}
		</>
	);
}

function When({ created_at, last_at }: ActivityRecord) {
	if (created_at === last_at) return <Time at={created_at} />;
	return (
		<>
			<Time at={created_at} />, last <Time at={last_at} />
		</>
	);
}

function AccountCell({ account_id, account_email }: ActivityRecord) {
	if (account_id === null) return <span class="muted">–</span>;
	if (account_email === null) return <code class="small">{account_id}</code>;
	return <NameLink href={`/admin/accounts/${account_id}`} name={account_email} />;
}

function By({ entry, own }: { entry: ActivityRecord; own: boolean }) {
	const { actor_email, api_key_id, via } = entry;
	return (
		<>
			{actor_email === null ? actorWords(entry, own) : <Name>{actor_email}</Name>}
			{via === 'session' && <p class="small muted">on the web pages</p>}
			{via === 'command_line' && <p class="small muted">on the command line</p>}
			{api_key_id && (
				<p class="small">
					with <code>{api_key_id}</code>
				</p>
			)}
		</>
	);
}

function Fixed({ text }: { text: string | null }) {
	return text === null ? <span class="muted">–</span> : <code class="small">{text}</code>;
}
