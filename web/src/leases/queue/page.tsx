// A lease that waits: its position, when it probably starts, and what happens then.
import type { Child } from 'hono/jsx';
import { BoardPicture } from '../../drawings/board-picture.tsx';
import { Button, FormAlert } from '../../elements/form.tsx';
import { liveParts } from '../../elements/list.tsx';
import { Clock, Name } from '../../elements/text.tsx';
import { GroupLinks } from '../group.tsx';
import { LeaseStatus } from '../status.tsx';
import { Meantime, NextSteps, type QueuedView } from './next.tsx';

const minute = 60_000;

export function QueuePage({ view }: { view: QueuedView }) {
	const { lease, board } = view;
	const isHeld = lease.access === 'hold';
	const parts = partsOf(view);
	const card = (name: keyof typeof parts) => (
		<section class="card" data-live-results={name}>
			{parts[name]}
		</section>
	);
	return (
		<div class="queue-page" data-lease={lease.id} data-live-filter>
			<section class="card queue-head">
				<BoardPicture boardType={lease.board_type} label="" />
				<div>
					<h1>
						<Name>{board?.name ?? lease.board_type}</Name>
					</h1>
					<p class="muted small">
						{board ? 'this board' : 'any board of the type'}, for {lease.minutes} minutes
					</p>
					<GroupLinks {...view} />
				</div>
				<LeaseStatus status={lease.status} />
				<dl class="queue-figures" data-live-results="figures">
					{parts.figures}
				</dl>
				<div class="queue-actions">
					<Button type="button" text="Notify me" data-notify aria-pressed="false" hidden />
					{isHeld && (
						<form method="post" action={`/leases/${lease.id}/release`}>
							<Button text="Leave the queue" look="danger" />
						</form>
					)}
				</div>
			</section>
			<FormAlert />
			{card('next')}
			{card('meantime')}
		</div>
	);
}

/** What the stream sends to an open page when the queue changes. */
export function queueParts(view: QueuedView) {
	return { status: view.lease.status, html: liveParts(partsOf(view)) };
}

function partsOf(view: QueuedView) {
	return {
		figures: figuresOf(view),
		next: <NextSteps {...view} />,
		meantime: <Meantime {...view} />,
	};
}

/** The title of the tab; the script keeps it up to date. */
export function queueTitle({ lease, queue }: QueuedView) {
	const time = queue.start
		? ` · about ${new Date(queue.start).toISOString().slice(11, 16)} UTC`
		: '';
	return `${ordinal(lease.queue_position ?? 1)} of ${queue.waiting}${time}`;
}

function figuresOf({ lease, queue, held, time }: QueuedView) {
	const isHeld = lease.access === 'hold';
	const place = <span data-place>{ordinal(lease.queue_position ?? 1)}</span>;
	const ofBalance = isHeld ? `of ${queue.balance.toLocaleString('en')} ` : '';
	return (
		<>
			{figure(isHeld ? 'Your position' : 'Position', place, `of ${queue.waiting}`)}
			{startFigure(queue, time)}
			{held > 0 && figure('Held', held.toLocaleString('en'), `${ofBalance}credits, none spent`)}
		</>
	);
}

function startFigure({ estimate, start }: QueuedView['queue'], now: number) {
	if (!start) {
		const reason = estimate
			? 'No board is expected before it leaves the queue.'
			: 'Nobody knows when such a board is available.';
		return figure('It can start', '–', reason);
	}
	const left = Math.round((start - now) / minute);
	const value = (
		<span data-start>
			<Clock at={start} />
		</span>
	);
	const below = left > 0 ? `in about ${left} min` : 'at any moment';
	return figure('It can start at about', value, below);
}

const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function ordinal(place: number) {
	return `${place}${suffixes[rules.select(place)] ?? 'th'}`;
}

function figure(label: string, value: Child, below: Child) {
	return (
		<div>
			<dt class="muted small">{label}</dt>
			<dd>
				<strong class="number">{value}</strong>
				<p class="muted small">{below}</p>
			</dd>
		</div>
	);
}
