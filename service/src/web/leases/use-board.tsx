// Starts a lease of one board.
import type { BoardRow } from '../../database/schema.ts';
import type { ApiError } from '../../errors.ts';
import { ButtonLink, Field, PostForm } from '../elements/form.tsx';

interface UseBoardProps {
	board: Pick<BoardRow, 'id' | 'name' | 'status' | 'credits_per_minute'> & {
		has_agent: boolean;
		/** The lease of this account that holds the board. */
		lease_id: string | null;
	};
	/** The lease of this account that waits for the board. */
	waitingId: string | undefined;
	error: ApiError | undefined;
}

export function UseBoard({ board, waitingId, error }: UseBoardProps) {
	const leaseId = board.lease_id ?? waitingId;
	if (leaseId) {
		return (
			<section class="card">
				<h2>You are {board.lease_id ? 'using' : 'waiting for'} this board</h2>
				<p>
					<ButtonLink href={`/leases/${leaseId}`} text="Go to the lease" look="primary" />
				</p>
			</section>
		);
	}
	return (
		<section class="card">
			<h2>{board.has_agent ? 'Use' : 'Reserve'} this board</h2>
			<p class="muted">{board.has_agent ? explanations[board.status] : reservation}</p>
			<PostForm
				action={`/boards/${encodeURIComponent(board.id)}/use`}
				error={error}
				submit={buttonText(board)}
			>
				<Field
					name="minutes"
					label="Minutes"
					value="10"
					error={error}
					help={
						board.credits_per_minute === 0
							? 'Free. You can extend the lease while it runs.'
							: `${board.credits_per_minute} credits a minute. You pay for the minutes you use.`
					}
					input={{ type: 'number', min: 1, max: 1440 }}
				/>
			</PostForm>
		</section>
	);
}

function buttonText({ status, has_agent }: UseBoardProps['board']) {
	if (status !== 'available') return 'Wait for this board';
	return has_agent ? 'Use this board' : 'Reserve this board';
}

const reservation =
	'No agent drives this board: you can reserve it, but not flash it or open its console.';

const explanations = {
	available: 'The board is prepared with its base images and then reserved for you.',
	in_use: 'Someone is using the board. You join the queue for up to ten minutes.',
	maintenance: 'The board is in maintenance. You join the queue for up to ten minutes.',
	offline: 'The board is offline. You join the queue for up to ten minutes.',
} as const;
