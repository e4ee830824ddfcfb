// Starts a lease of one board.
import type { BoardRecord } from '../../boards/store.ts';
import { ButtonLink, Field, PostForm } from '../elements/form.tsx';

interface UseBoardProps {
	board: BoardRecord;
	/** The lease of this account that waits for the board. */
	waitingId: string | undefined;
}

export function UseBoard({ board, waitingId }: UseBoardProps) {
	const { id, status, has_agent, lease_id, credits_per_minute: price } = board;
	const leaseId = lease_id ?? waitingId;
	if (leaseId) {
		return (
			<section class="card">
				<h2>You are {lease_id ? 'using' : 'waiting for'} this board</h2>
				<p>
					<ButtonLink href={`/leases/${leaseId}`} text="Go to the lease" look="primary" />
				</p>
			</section>
		);
	}
	const use = has_agent ? 'Use this board' : 'Lease this board';
	const submit = status === 'available' ? use : 'Wait for this board';
	const help =
		price === 0
			? 'Free. You can renew the lease while it runs.'
			: `${price} credits a minute. You pay for the minutes you use.`;
	return (
		<section class="card">
			<h2>{use}</h2>
			<p class="muted">{has_agent ? explanations[status] : withoutAgent}</p>
			<PostForm action={`/boards/${encodeURIComponent(id)}/use`} submit={submit}>
				<Field
					name="minutes"
					label="Minutes"
					value="10"
					help={help}
					input={{ type: 'number', min: 1, max: 1440 }}
				/>
			</PostForm>
		</section>
	);
}

const withoutAgent =
	'No agent drives this board: you can lease it, but not flash it or open its console.';

const explanations = {
	available: 'The board is prepared with its base images and is then yours.',
	in_use: 'Someone is using the board. You wait in its queue for up to ten minutes.',
	maintenance: 'The board is in maintenance. You wait in its queue for up to ten minutes.',
	offline: 'The board is offline. You wait in its queue for up to ten minutes.',
} as const;
