// The time of a lease as a line, with a mark for each action.
import type { LeaseAction, LeaseView } from 'board-access-core';
import type { Lease } from '../leases/status.tsx';

const minute = 60_000;

/** How far apart the times on the axis can be, in minutes. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440];
const maxTimes = 6;

/** Hidden from screen readers: the list below has the same steps. */
export function TimeAxis({ lease, actions, time }: Pick<LeaseView, 'lease' | 'actions' | 'time'>) {
	const [start, end] = rangeOf(lease, time);
	const at = (moment: number) => {
		const share = (Math.max(start, Math.min(end, moment)) - start) / (end - start);
		return `${Math.round(share * 10_000) / 100}%`;
	};
	const now = lease.status === 'ended' ? end : time;
	return (
		<svg
			class="time-axis"
			aria-hidden="true"
			data-start={start}
			data-end={end}
			data-now={lease.status === 'active' ? time : undefined}
		>
			<line class="axis-rest" x1="0" x2="100%" y1="12" y2="12" />
			<line class="axis-used" x1="0" x2={at(now)} y1="12" y2="12" />
			{timesBetween(start, end).map((moment) => (
				<svg class="axis-time" aria-hidden="true" x={at(moment)} y="12">
					<path d="M0 4v4" />
					<text y="20" data-at={new Date(moment).toISOString()}>
						{new Date(moment).toISOString().slice(11, 16)}
					</text>
				</svg>
			))}
			{actions.map((action) => markOf(action, at))}
			{lease.status === 'active' && (
				<line class="axis-now" x1={at(now)} x2={at(now)} y1="1" y2="23" />
			)}
		</svg>
	);
}

function markOf(
	{ status, phase, created_at, ended_at }: LeaseAction,
	at: (moment: number) => string,
) {
	const moment = Date.parse(ended_at ?? created_at);
	return (
		<svg class={`axis-mark step-${status}`} aria-hidden="true" x={at(moment)} y="12">
			{phase === 'prepare' ? <path d="M-3 -5h6v10h-6z" /> : <path d="M0 -6L6 0L0 6L-6 0z" />}
			{status === 'failed' && <circle cy="-9" r="2.5" />}
		</svg>
	);
}

/** From the grant of the board to the end of the lease, at least one minute. */
function rangeOf({ created_at, started_at, expires_at, ended_at }: Lease, time: number) {
	const start = Date.parse(started_at ?? created_at);
	const end = Date.parse(ended_at ?? expires_at ?? created_at);
	return [start, Math.max(end, ended_at === null ? time : 0, start + minute)] as const;
}

function timesBetween(start: number, end: number) {
	const length = end - start;
	const step = (steps.find((step) => length / (step * minute) <= maxTimes) ?? 1440) * minute;
	const first = Math.ceil(start / step) * step;
	return Array.from({ length: Math.floor((end - first) / step) + 1 }, (_, n) => first + n * step);
}
