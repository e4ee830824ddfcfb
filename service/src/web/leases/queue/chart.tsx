// When the boards of a type become free, and which of the leases that wait probably gets which.
import type { Child } from 'hono/jsx';
import { timesBetween } from '../../drawings/time-axis.tsx';
import { Name } from '../../elements/text.tsx';
import type { Place, QueueView } from './view.ts';

const minute = 60_000;
const rowHeight = 32;
const barHeight = 24;
const mostBoards = 8;

export function QueueChart({ queue }: { queue: QueueView }) {
	const { now, own } = queue;
	const boards = shownBoards(queue);
	const frame = frameOf(queue);
	const height = boards.length * rowHeight;
	const range = own?.estimate?.isInTime ? own.estimate : undefined;
	return (
		<div class="queue-chart">
			<ul>
				{boards.map(({ id, name }) => (
					<li class={id === own?.estimate?.boardId ? 'own' : undefined}>
						<Name>{name}</Name>
					</li>
				))}
			</ul>
			<svg height={height + 24} role="img" aria-label="The table has the same times.">
				{range && <rect class="range" {...spanOf(frame, range.from, range.to)} height={height} />}
				{timesBetween(now + frame.length * 0.18, frame.end - frame.length * 0.12).map((moment) => (
					<svg class="tick" aria-hidden="true" x={xOf(frame, moment)}>
						<path d={`M0 0v${height}`} />
						<text y={height + 18}>{clock(moment)}</text>
					</svg>
				))}
				{boards.map((board, index) => barsOf(queue, frame, { board, y: index * rowHeight + 4 }))}
				<svg class="tick present" aria-hidden="true" x={xOf(frame, now)}>
					<path d={`M0 0v${height}`} />
					<text y={height + 18}>now</text>
				</svg>
			</svg>
		</div>
	);
}

/** Those that become free first, and the one that the lease probably gets. */
function shownBoards({ boards, own }: QueueView) {
	const [last = 0] = boards
		.map(({ freeAt }) => freeAt)
		.toSorted((one, other) => one - other)
		.slice(0, mostBoards)
		.slice(-1);
	const early = boards.filter(({ freeAt }) => freeAt <= last).slice(0, mostBoards);
	const ownBoard = boards.find(({ id }) => id === own?.estimate?.boardId);
	return ownBoard && !early.includes(ownBoard) ? [...early, ownBoard] : early;
}

interface Frame {
	begin: number;
	end: number;
	length: number;
}

/** From shortly before now until some time after the start. */
function frameOf({ now, boards, own }: QueueView): Frame {
	const awaited = own?.estimate?.to ?? Math.max(now, ...boards.map(({ freeAt }) => freeAt));
	const ahead = Math.max(20 * minute, (awaited - now) * 1.6);
	const begin = now - ahead * 0.12;
	return { begin, end: now + ahead, length: now + ahead - begin };
}

interface Row {
	board: QueueView['boards'][number];
	y: number;
}

function barsOf({ now, holder, places }: QueueView, frame: Frame, { board, y }: Row) {
	const { id, freeAt } = board;
	const waiting = places.filter(({ estimate }) => estimate?.boardId === id && estimate.isInTime);
	return (
		<>
			{freeAt > now && (
				<svg class="bar" aria-hidden="true" {...spanOf(frame, frame.begin, freeAt)} {...barAt(y)}>
					<rect width="100%" height="100%" rx="3" />
					<text x="100%" dx="-8" y="16" text-anchor="end">
						<tspan class="wide-only">until </tspan>
						{clock(freeAt)}
					</text>
				</svg>
			)}
			{waiting.map((place) => (
				<svg
					class={place.isOwn ? 'bar own' : 'bar waiting'}
					aria-hidden="true"
					{...spanOf(frame, startOf(place), startOf(place) + place.minutes * minute)}
					{...barAt(y)}
				>
					<rect x="1" y="1" width="100%" height={barHeight - 2} rx="3" />
					<text x="8" y="16">
						{place.isOwn ? holder : ordinal(place.place)}
						<tspan class="wide-only">
							{place.isOwn ? [', about ', clock(startOf(place))] : `, ${place.minutes} min`}
						</tspan>
					</text>
				</svg>
			))}
		</>
	);
}

const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

export function ordinal(place: number) {
	return `${place}${suffixes[rules.select(place)] ?? 'th'}`;
}

function startOf({ estimate }: Place) {
	return estimate?.start ?? 0;
}

function barAt(y: number) {
	return { y, height: barHeight };
}

function spanOf(frame: Frame, from: number, to: number) {
	const end = Math.min(frame.end, to);
	const width = Math.max(0, (end - Math.max(frame.begin, from)) / frame.length);
	return { x: xOf(frame, from), width: percent(width) };
}

function xOf({ begin, length }: Frame, moment: number) {
	return percent(Math.max(0, (moment - begin) / length));
}

function percent(share: number) {
	return `${Math.round(share * 10_000) / 100}%`;
}

/** A script shows it in the time zone of the visitor. */
function clock(moment: number): Child {
	const at = new Date(moment).toISOString();
	return <tspan data-at={at}>{at.slice(11, 16)}</tspan>;
}
