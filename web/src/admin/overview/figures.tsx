// The six figures of the overview, and how its numbers and times are written.

import type { Overview } from 'board-access-core';
import type { Child } from 'hono/jsx';
import { Icon, Name } from '../../elements/text.tsx';

export const number = (value: number) => value.toLocaleString('en');

const shares = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

/** A share of what there is; nothing has no share. */
function percent(part: number, all: number) {
	return all === 0 ? '–' : shares.format(part / all).replace('%', ' %');
}

/** Minutes and seconds, or hours before them. */
export function duration(seconds: number) {
	const [hours, rest] = [Math.floor(seconds / 3600), Math.floor(seconds) % 3600];
	const minutes = String(Math.floor(rest / 60)).padStart(hours > 0 ? 2 : 1, '0');
	return `${hours > 0 ? `${hours}:` : ''}${minutes}:${String(rest % 60).padStart(2, '0')}`;
}

export function secondsSince(moment: string, now: number) {
	return Math.max(0, (now - Date.parse(moment)) / 1000);
}

/** "under 0:30", as exactly as the sums say. */
export function waitText(under: number | undefined) {
	if (under === undefined) return '–';
	return Number.isFinite(under) ? `under ${duration(under)}` : 'over 2:00:00';
}

/** A time of day, which a script shows in the time zone of the visitor. */
export function Clock({ at }: { at: string }) {
	return (
		<time datetime={at} data-clock="minutes">
			{`${at.slice(11, 16)} UTC`}
		</time>
	);
}

export function Figures({ time, counts, queue, agents, use, failed }: Overview) {
	const boards = (...states: string[]) =>
		counts.reduce((sum, { state, boards }) => sum + (states.includes(state) ? boards : 0), 0);
	const [inUse, usable] = [boards('in_use'), boards('in_use', 'available', 'failing')];
	const waiting = queue.reduce((sum, row) => sum + row.waiting, 0);
	const since = queue.map((row) => row.since).sort()[0];
	const leases = use.today.get('leases') ?? 0;
	const [now = '–', before = '–'] = failed.map((count, index) =>
		percent(count, (index === 0 ? use.lastDay : use.dayBefore).get('leases') ?? 0),
	);
	const away = agents.filter(({ connection_id }) => connection_id === null);
	return (
		<dl class="key-figures">
			<Figure label="In use now" value={percent(inUse, usable)}>
				{`${number(inUse)} of ${number(usable)} usable boards`}
			</Figure>
			<Figure label="Waiting" value={number(waiting)}>
				{since && `the longest for ${duration(secondsSince(since, time))}`}
			</Figure>
			<Figure label="Wait today, median" value={waitText(use.waitsToday.half)}>
				{`95 % ${waitText(use.waitsToday.most)}`}
			</Figure>
			<Figure label="Leases today" value={number(leases)}>
				{`${percent(use.today.get('key_leases') ?? 0, leases)} by API keys`}
			</Figure>
			<Figure label="Failed leases, 24 hours" value={number(failed[0])}>
				{`${now} of leases, ${before} before`}
			</Figure>
			<Figure label="Agents online" value={number(agents.length - away.length)}>
				{`of ${number(agents.length)} `}
				<Away agents={away} />
			</Figure>
		</dl>
	);
}

function Figure({ label, value, children }: { label: string; value: string; children?: Child }) {
	return (
		<div>
			<dt>{label}</dt>
			<dd>
				<strong>{value}</strong> {children}
			</dd>
		</div>
	);
}

function Away({ agents: [first, ...others] }: Pick<Overview, 'agents'>) {
	if (!first) return null;
	return (
		<span class="away">
			<Icon name="alert" />
			<Name>{first.name}</Name> away
			{first.last_seen_at && (
				<>
					{' since '}
					<Clock at={first.last_seen_at} />
				</>
			)}
			{others.length > 0 && ` and ${number(others.length)} more`}
		</span>
	);
}
