// Where an account is logged in, and a button to end each session.
import type { listSessions } from '../../accounts/sessions/sessions.ts';
import { Table } from '../elements/list.tsx';
import { Name, Time } from '../elements/text.tsx';
import { deviceName } from './device-name.ts';

export type Session = Awaited<ReturnType<typeof listSessions>>[number];

interface SessionListProps {
	sessions: Session[];
	/** The session in which the page is shown. */
	currentId: string;
}

export function SessionList({ sessions, currentId }: SessionListProps) {
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
					{
						label: 'Device',
						cell: ({ user_agent }) => (
							<strong>
								<Name>{deviceName(user_agent)}</Name>
							</strong>
						),
						class: 'main-cell',
					},
					{ label: 'Address', cell: ({ ip_address }) => ip_address || 'Unknown' },
					{ label: 'Logged in', cell: ({ created_at }) => <Time at={created_at} /> },
					{ label: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
					{
						label: 'Action',
						cell: ({ id, user_agent }) =>
							id === currentId ? (
								<span class="badge">This device</span>
							) : (
								<EndSession id={id} device={deviceName(user_agent)} />
							),
					},
				]}
			/>
			{sessions.length > 1 && (
				<form method="post" action="/account/sessions/end-others">
					<button type="submit" class="button">
						Log out all other sessions
					</button>
				</form>
			)}
		</section>
	);
}

function EndSession({ id, device }: { id: string; device: string }) {
	return (
		<div class="row-actions">
			<form method="post" action={`/account/sessions/${id}/end`}>
				<button type="submit" class="button" aria-label={`Log out ${device}`}>
					Log out
				</button>
			</form>
		</div>
	);
}
