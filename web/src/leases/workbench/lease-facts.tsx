// What a lease is about, how much of its time is left, and what it costs.
import type { LeaseView } from 'board-access-core';
import type { Child } from 'hono/jsx';
import { BoardPicture } from '../../drawings/board-picture.tsx';
import { Button } from '../../elements/form.tsx';
import { Name, Note } from '../../elements/text.tsx';
import { GroupLinks } from '../group.tsx';
import { type Lease, LeaseStatus } from '../status.tsx';
import { SharedWith } from './shares.tsx';
import { clockText, minute, soon } from './time-left.ts';

export function LeaseFacts(view: LeaseView) {
	const { lease, board } = view;
	return (
		<>
			<BoardPicture boardType={lease.board_type} label="" />
			<div class="lease-title">
				<h1>
					<Name>{board?.name ?? lease.board_type}</Name>
				</h1>
				<Note text={lease.label} />
				<GroupLinks {...view} />
				<SharedWith {...view} />
			</div>
			<div class="lease-state">
				<LeaseStatus status={lease.status} />
				<span class="badge status-maintenance">Not connected</span>
			</div>
			<div class="lease-figures">
				{timeOf(view)}
				{costOf(view)}
			</div>
			{timeLine(view)}
		</>
	);
}

export function isEndingSoon({ status, expires_in_ms }: Lease) {
	return status === 'active' && (expires_in_ms ?? soon) < soon;
}

function timeOf(view: LeaseView) {
	const { lease, chargedFrom, inGrace } = view;
	const { status, expires_in_ms, minutes, ended_at } = lease;
	if (status === 'preparing') return figure(`${minutes} min`, 'begin when the board is ready');
	if (status === 'ended') {
		return chargedFrom && ended_at && figure(clockText(between(chargedFrom, ended_at)), 'used');
	}
	const all = Math.round(timeInAll(view) / minute);
	if (inGrace) return figure(`${all} min`, wide('not begun'));
	return figure(<Countdown left={expires_in_ms ?? 0} />, ['left', wide(` of ${all} min`)]);
}

function costOf({ lease, rate, held, cost, time, chargedFrom, inGrace }: LeaseView) {
	const { status, credits } = lease;
	if (rate === 0 && held === 0) return figure('Free', '');
	if (status === 'ended') {
		if (!chargedFrom || credits === null) return figure(0, 'credits');
		const returned = cost - credits;
		return figure(credits, `credits${returned > 0 ? `, ${returned} returned` : ''}`);
	}
	if (chargedFrom === null || inGrace) return figure(held, 'credits held');
	const sum = (
		<strong
			class="number"
			data-cost={rate}
			data-used={time - Date.parse(chargedFrom)}
			data-held={held}
		>
			{Math.min(held, cost)}
		</strong>
	);
	return figure(sum, [`of ${held} held credits`, wide(`, ${rate} a minute`)]);
}

/** Says that the minutes have not begun. */
export function StartNow({ lease, inGrace, chargedFrom, time }: LeaseView) {
	if (!inGrace || lease.access !== 'hold') return null;
	return (
		<div class="strip actions">
			<p>
				Your minutes begin in <Countdown left={Date.parse(chargedFrom ?? '') - time} />, or when you
				use the board
			</p>
			<Button text="Start now" look="primary" data-do="start" />
		</div>
	);
}

/** The script counts down from this time, so the browser's clock does not matter. */
export function Countdown({ left }: { left: number }) {
	return (
		<strong class={left < soon ? 'number soon' : 'number'} data-countdown={left}>
			{clockText(left)}
		</strong>
	);
}

function figure(value: Child, text: Child) {
	const isPlain = typeof value === 'string' || typeof value === 'number';
	return (
		<p>
			{isPlain ? <strong class="number">{value}</strong> : value}{' '}
			<span class="muted small">{text}</span>
		</p>
	);
}

function wide(text: string) {
	return <span class="wide-only">{text}</span>;
}

/** The share of the time that is left; hidden from screen readers, which have the time. */
function timeLine(view: LeaseView) {
	const { status, expires_in_ms } = view.lease;
	const left = status === 'active' ? (expires_in_ms ?? 0) : 0;
	const all = Math.max(1, timeInAll(view));
	const width = `${100 * Math.min(1, left / all)}%`;
	return (
		<svg class="time-line" aria-hidden="true">
			<rect width={width} height="100%" data-all={all} />
		</svg>
	);
}

function timeInAll({ chargedFrom, lease: { expires_at } }: LeaseView) {
	return chargedFrom && expires_at ? between(chargedFrom, expires_at) : 0;
}

function between(start: string, end: string) {
	return Date.parse(end) - Date.parse(start);
}
