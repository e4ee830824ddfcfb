// A lease that waits: its position, when it probably starts, and what happens then.
import type { Child } from 'hono/jsx';
import { BoardPicture } from '../../drawings/board-picture.tsx';
import { literal, requestExamples, SameRequest } from '../../elements/code.tsx';
import { Button, FormAlert } from '../../elements/form.tsx';
import { AsOf, liveParts, Table } from '../../elements/list.tsx';
import { Clock, Name } from '../../elements/text.tsx';
import { LeaseStatus } from '../status.tsx';
import { ordinal, QueueChart } from './chart.tsx';
import { WaitingFirmware } from './firmware.tsx';
import { Meantime, NextSteps } from './next.tsx';
import type { Place, QueuedView, QueueView } from './view.ts';

const minute = 60_000;

/** How many places the table shows from the first one on. */
const mostPlaces = 10;

interface QueuePageProps {
	view: QueuedView;
	baseUrl: string;
	/** Whether mail reaches the holder. */
	canMail: boolean;
}

export function QueuePage({ view, baseUrl, canMail }: QueuePageProps) {
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
				</div>
				<LeaseStatus status={lease.status} />
				<dl class="queue-figures" data-live-results="figures">
					{parts.figures}
				</dl>
				<div class="queue-actions">
					<button type="button" class="button" data-notify aria-pressed="false" hidden>
						Notify me
					</button>
					{isHeld && (
						<form method="post" action={`/leases/${lease.id}/release`}>
							<Button text="Leave the queue" look="danger" />
						</form>
					)}
					{canMail && <MailChoice {...view} />}
				</div>
			</section>
			<FormAlert />
			<div>
				{card('boards')}
				{card('places')}
				<SameRequest examples={requestOf(view, baseUrl)} />
			</div>
			<div>
				{card('next')}
				{card('meantime')}
				{isHeld && <WaitingFirmware />}
			</div>
		</div>
	);
}

function MailChoice({ lease, queue }: QueuedView) {
	return (
		<form class="mail-choice small" method="post" action={`/leases/${lease.id}/mail`} data-mail>
			<label>
				<input type="checkbox" name="wanted" value="true" checked={queue.mail} /> Mail me when it
				starts
			</label>
			<span class="field-error" role="alert" />
			<noscript>
				<Button text="Save" />
			</noscript>
		</form>
	);
}

/** What the script of an open page has to know of a queue that has changed. */
export function queueParts(view: QueuedView) {
	return { status: view.lease.status, html: liveParts(partsOf(view)) };
}

function partsOf(view: QueuedView) {
	return {
		figures: figuresOf(view),
		boards: boardsOf(view),
		places: placesOf(view),
		next: <NextSteps {...view} />,
		meantime: <Meantime {...view} />,
	};
}

/** As the title of the tab, which its script keeps up to date. */
export function queueTitle({ lease, queue }: QueuedView) {
	const time = queue.start
		? ` · about ${new Date(queue.start).toISOString().slice(11, 16)} UTC`
		: '';
	return `${ordinal(lease.queue_position ?? 1)} of ${queue.places.length}${time}`;
}

function figuresOf({ lease, queue, held, time }: QueuedView) {
	const place = ordinal(lease.queue_position ?? 1);
	const isHeld = lease.access === 'hold';
	return (
		<>
			{figure(
				isHeld ? 'Your position' : 'Position',
				<span data-place>{place}</span>,
				`of ${queue.places.length}`,
			)}
			{startFigure(queue, time)}
			{held > 0 &&
				figure(
					'Held',
					held.toLocaleString('en'),
					isHeld
						? `of ${queue.balance.toLocaleString('en')} credits, none spent`
						: 'credits, none spent',
				)}
		</>
	);
}

function startFigure({ own, start, compared }: QueueView, now: number) {
	if (!own?.estimate || !start) {
		const reason = own?.estimate
			? 'No board is expected before it leaves the queue.'
			: 'Nobody knows when such a board is available.';
		return figure('It can start', '–', reason);
	}
	const { from, to } = own.estimate;
	const left = Math.round((start - now) / minute);
	const range = compared > 0 && to - from >= minute && (
		<>
			, between <Clock at={from} /> and <Clock at={to} />
		</>
	);
	const value = (
		<span data-start>
			<Clock at={start} />
		</span>
	);
	const below = left > 0 ? `in about ${left} min` : 'at any moment';
	return figure('It can start at about', value, [below, range]);
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

function boardsOf({ lease, queue, time }: QueuedView) {
	const { boards, compared, own } = queue;
	const count = boards.length === 1 ? '1 board suits' : `${boards.length} boards suit`;
	return (
		<>
			<div class="group-head">
				<h2>When boards become free</h2>
				<AsOf at={new Date(time).toISOString()} href={`/leases/${lease.id}`} />
			</div>
			{boards.length > 0 && <QueueChart queue={queue} />}
			<p class="muted small">
				{count} your request. The ends are those of the leases that run now; their holders can
				release early, or renew.{' '}
				{compared > 0 && own?.estimate
					? `The shaded time is when it can start if leases last as nine of ten of the last ${compared} of this type did.`
					: 'Too few leases of this type have ended to say how early or late they usually end.'}{' '}
				<span data-utc>Times are in UTC.</span>
			</p>
		</>
	);
}

function placesOf({ queue }: QueuedView) {
	const shown = queue.places.filter(({ place, isOwn }) => place <= mostPlaces || isOwn);
	const more = queue.places.length - shown.length;
	return (
		<>
			<div class="group-head">
				<h2>Queue</h2>
				<span class="muted small">
					Accounts with the fewest boards first, then the longest wait
				</span>
			</div>
			<Table
				caption="Queue"
				rows={shown}
				rowClass={({ isOwn }) => (isOwn ? 'own' : undefined)}
				columns={[
					{ label: 'Position', cell: ({ place }) => ordinal(place) },
					{ label: 'Who', cell: ({ who }) => <Name>{who}</Name> },
					{ label: 'Wants', cell: ({ minutes }) => `${minutes} min`, class: 'number' },
					{ label: 'Starts at about', cell: startCell, class: 'number' },
				]}
			/>
			{more > 0 && <p class="muted small">{`And ${more} more.`}</p>}
		</>
	);
}

function startCell({ estimate }: Place) {
	if (!estimate) return 'Not known';
	return estimate.isInTime ? <Clock at={estimate.start} /> : 'Leaves before';
}

function requestOf({ lease, board }: QueuedView, baseUrl: string) {
	const { minutes, board_type } = lease;
	const wanted = board ? { board_id: board.id } : { board_type };
	const named = board ? { boardId: board.id } : { boardType: board_type };
	const option = board ? ['--board', board.id] : ['--type', board_type];
	return requestExamples({
		baseUrl,
		method: 'POST',
		path: '/v1/leases',
		json: { ...wanted, minutes, wait_seconds: 3600 },
		cli: ['leases', 'create', ...option, '--minutes', String(minutes), '--wait', '60m'],
		typescript: `const lease = await client.leases.create(${literal({ ...named, durationMs: minutes * minute, waitMs: 60 * minute })});`,
	});
}
