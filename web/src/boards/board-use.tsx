// The form that starts a lease of a board: when it probably begins, for how long, and what it costs.
import type { BoardView } from 'board-access-core';
import { useContext } from 'hono/jsx';
import { Offer, price } from '../credits/prices.tsx';
import { BoardPicture } from '../drawings/board-picture.tsx';
import { ButtonLink, Field, Filled, FormAlert, PostForm } from '../elements/form.tsx';
import { BoardLink, Clock, Credits } from '../elements/text.tsx';
import type { MemberVisit } from '../pages.tsx';
import { usualMinutes } from './board-row.tsx';
import { isOwn, type Viewer } from './uses.ts';

interface UseFormProps extends Pick<BoardView, 'use' | 'start' | 'alternative' | 'spendable'> {
	visit: MemberVisit;
	viewer: Viewer;
}

/** Starts a lease, or links to the visitor's lease that uses the board or waits for it. */
export function useForm(props: UseFormProps) {
	const { visit, use, viewer, spendable } = props;
	const { board, lease, waitingId } = use;
	const ownId = isOwn(use, viewer) ? lease?.id : waitingId;
	if (ownId) {
		return (
			<section class="card" data-live-results>
				<h2>You are {waitingId === ownId ? 'waiting for' : 'using'} this board</h2>
				<ButtonLink href={`/leases/${ownId}`} text="Open the lease" look="primary wide" />
			</section>
		);
	}
	const { leaseMaxMinutes } = visit.services.settings;
	const title = board.has_agent ? 'Use this board' : 'Lease this board';
	return (
		<section class="card" data-live-results>
			<h2>{title}</h2>
			{startOf(props)}
			{spendable < board.credits_per_minute ? (
				<CreditsFirst rate={board.credits_per_minute} spendable={spendable} />
			) : (
				<PostForm
					action={`/boards/${encodeURIComponent(board.id)}/use`}
					submit={board.status === 'available' ? title : 'Queue for this board'}
					look="primary wide"
				>
					<Minutes rate={board.credits_per_minute} max={leaseMaxMinutes} />
					{visit.services.settings.groups && <Peers />}
					<p class="muted small">
						{board.credits_per_minute > 0 && (
							<>
								You have <Credits amount={spendable} />. You pay for started minutes of use, not for
								waiting or preparation.{' '}
							</>
						)}
						{board.has_agent ? 'You can renew the lease while it runs.' : withoutAgent}
					</p>
				</PostForm>
			)}
			<Alternative {...props} />
		</section>
	);
}

function CreditsFirst({ rate, spendable }: Record<'rate' | 'spendable', number>) {
	// The error already says it.
	if (useContext(Filled).error) return <FormAlert />;
	return (
		<p class="callout">
			A minute costs <Credits amount={rate} />, and you have <Credits amount={spendable} />.{' '}
			<a href="/credits">Get credits</a>
		</p>
	);
}

const withoutAgent =
	'No agent drives this board: you can lease it, but not flash it or open its console.';

function startOf({ use: { board, waiting }, start }: UseFormProps) {
	if (board.status === 'available') return <p>It is available now.</p>;
	if (start === undefined) {
		return <p>Nobody knows when it is free. You wait in its queue for up to an hour.</p>;
	}
	const ahead = waiting === 1 ? 'One lease waits' : `${waiting} leases wait`;
	return (
		<p class="start">
			<strong class="figure">
				<Clock at={start} />
			</strong>
			<span class="muted small">
				is about when you can start.{' '}
				{waiting === 0 ? 'Nobody waits for it.' : `${ahead} for boards of this type.`} You stay in
				the queue for up to an hour.
			</span>
		</p>
	);
}

function Peers() {
	return (
		<Field
			name="peers"
			label="Together with"
			optional
			help="Types or identifiers of other boards, separated by commas. Tags follow a colon. You get all boards or none."
			input={{ placeholder: 'arduino-uno:rack=b2, brd_…', maxlength: 500 }}
		/>
	);
}

function Minutes({ rate, max }: Record<'rate' | 'max', number>) {
	const help = rate === 0 ? 'Free.' : `${price(rate)} in which you have the board.`;
	return (
		<Field
			name="minutes"
			label="Minutes"
			value={usualMinutes}
			help={help}
			suggestions={['10', '20', '30', '60']}
			input={{ type: 'number', min: 1, max }}
		/>
	);
}

function Alternative({ use, alternative: other, spendable }: UseFormProps) {
	if (!other) return null;
	return (
		<div class="alternative">
			<BoardPicture boardType={other.board_type} label="" />
			<p class="small">
				<BoardLink {...other} /> <Offer rate={other.credits_per_minute} spendable={spendable} />
				<br />
				<span class="muted">
					The same type
					{use.board.has_agent && other.agent_id === null && ', without an agent'}
				</span>
			</p>
		</div>
	);
}
