// Where an account is logged in, and a button to end each session.

import type { listSessions } from '../../accounts/sessions/sessions.ts';
import { Button } from '../elements/form.tsx';
import { type Column, Table } from '../elements/list.tsx';
import { StrongName, Time } from '../elements/text.tsx';
import { deviceName } from './device-name.ts';

export type Session = Awaited<ReturnType<typeof listSessions>>[number];

interface SessionListProps {
	sessions: Session[];
	/** The session in which the page is shown. */
	currentId: string;
}

export function SessionList({ sessions, currentId }: SessionListProps) {
	const end = (session: Session) =>
		session.id === currentId ? <span class="badge">This device</span> : <EndSession {...session} />;
	return (
		<section>
			<h2 id="sessions">Sessions</h2>
			<p class="muted">
				Where you are logged in. End a session that is not yours, and change your password.
			</p>
			<Table
				caption="Sessions"
				rows={sessions}
				columns={[...columns, { label: 'Action', cell: end }]}
			/>
			{sessions.length > 1 && (
				<form method="post" action="/account/sessions/end-others">
					<Button text="Log out all other sessions" />
				</form>
			)}
		</section>
	);
}

const columns: Column<Session>[] = [
	{
		label: 'Device',
		cell: ({ user_agent }) => <StrongName text={deviceName(user_agent)} />,
		class: 'main-cell',
	},
	{ label: 'Address', cell: ({ ip_address }) => ip_address || 'Unknown' },
	{ label: 'Logged in', cell: ({ created_at }) => <Time at={created_at} /> },
	{ label: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
];

function EndSession({ id, user_agent }: Session) {
	return (
		<div class="row-actions">
			<form method="post" action={`/account/sessions/${id}/end`}>
				<Button text="Log out" label={`Log out ${deviceName(user_agent)}`} />
			</form>
		</div>
	);
}
