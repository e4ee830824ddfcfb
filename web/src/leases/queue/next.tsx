// What happens to a lease that waits, and what its holder can do instead.
import type { LeaseView } from 'board-access-core';
import type { Child } from 'hono/jsx';
import { Offer } from '../../credits/prices.tsx';
import { AsOf } from '../../elements/list.tsx';
import { BoardLink, Clock, Icon, Name } from '../../elements/text.tsx';

export type QueuedView = LeaseView & { queue: NonNullable<LeaseView['queue']> };

export function NextSteps(view: QueuedView) {
	const { lease, rate, queue, time } = view;
	return (
		<>
			<div class="group-head">
				<h2>What happens next</h2>
				<AsOf at={new Date(time).toISOString()} href={`/leases/${lease.id}`} />
			</div>
			<ol class="next-steps">
				{stepsOf(view).map(([title, when, text]) => (
					<li>
						<h3>{title}</h3>
						<span class="muted small">{when}</span>
						<p class="muted small">{text}</p>
					</li>
				))}
			</ol>
			<p class="muted small">
				The start is an estimate from the ends of the leases that run now; their holders can release
				early, or renew. <span data-utc>Times are in UTC.</span>
			</p>
			<p class="callout important small">
				<Icon name="alert" />
				<span>
					The lease starts even if this page is closed{rate > 0 && ', and costs from then on'}. It
					waits until <Clock at={queue.waitsUntil} />; after that, it ends without cost.
				</span>
			</p>
		</>
	);
}

type Step = readonly [title: string, when: Child, text: Child];

function stepsOf({ lease, board, queue, held, rate }: QueuedView): Step[] {
	const { start, preparation, graceSeconds, images } = queue;
	const about = (before: number) => start && ['about ', <Clock at={start - before} />];
	const minutes = `${lease.minutes} minutes`;
	const hold = held > 0 && `; ${held} credits are held for ${minutes}`;
	const cost =
		rate > 0
			? ` and the cost begin: at most ${rate} credits for each started minute.`
			: ' begin. They are free.';
	const usual = preparation >= 1000 && `usually ${Math.round(preparation / 1000)} s`;
	const wait = ['Since ', <Clock at={lease.created_at} />, '. Nothing is charged', hold, '.'];
	const turn = board
		? [<BoardLink {...board} />, ', when it is available and it is your turn.']
		: 'The first board of the type that is available when it is your turn.';
	const names = images.map((name, index) => [index > 0 && ', ', <Name>{name}</Name>]);
	const work = images.length > 0 ? names : 'It is brought to a known state';
	const grace =
		lease.access === 'hold' &&
		graceSeconds > 0 &&
		` You have ${graceSeconds} seconds before that: choose Start now, or use the board.`;
	return [
		['It waits', '', wait],
		['It gets a board', about(preparation), turn],
		['It is prepared', usual, [work, '. Not charged.']],
		['The workbench opens here', about(0), [`The ${minutes}`, cost, grace]],
	];
}

export function Meantime({ lease, queue: { alternative, spendable } }: QueuedView) {
	const offer = (rate: number) => (
		<Offer rate={rate} spendable={lease.access === 'hold' ? spendable : undefined} />
	);
	return (
		<>
			<h2>In the meantime</h2>
			{alternative ? (
				<p class="small">
					<BoardLink {...alternative} /> {offer(alternative.credits_per_minute)}. It has the same
					type
					{alternative.agent_id === null && ', but no agent'}.
				</p>
			) : (
				<p class="small">
					No other <Name>{lease.board_type}</Name> is available. See the{' '}
					<a href="/boards?status=available">boards of other types that are available now</a>.
				</p>
			)}
		</>
	);
}
