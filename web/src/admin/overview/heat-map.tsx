// The use of each hour, day by day, above the waiting times of the same hours.
import { type Overview, type Period, type Waits, waitUnder } from 'board-access-core';
import { duration, number, waitText } from './figures.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const levels = 5;
/** The share of the boards in use from which on a cell has the darkest color. */
const fullShare = 0.6;
const day = 24 * 60 * 60 * 1000;
const shown = new Intl.DateTimeFormat('en', {
	weekday: 'short',
	day: 'numeric',
	month: 'short',
	timeZone: 'UTC',
});

interface HeatMapProps {
	period: Period;
	use: Overview['use'];
}

/** The boards that were in use in an hour on average, and how many could be, if that was counted. */
export function useOfHour({ hours, now, elapsed }: Overview['use'], hour: number) {
	const seconds = hour === now ? elapsed : 3600;
	const boards = hours.get(`${hour} boards`);
	return { boards, used: (hours.get(`${hour} busy_seconds`) ?? 0) / seconds };
}

export function HeatMap({ period: { first, days }, use }: HeatMapProps) {
	const bounds = hours.map((hour) => use.waits.get(hour)).map((waits) => longest(waits));
	const highest = Math.max(...bounds, 60);
	return (
		<table class="heat">
			<caption class="unseen">
				Boards in use by hour and day, and waiting time by hour, in UTC
			</caption>
			<thead>
				<tr>
					<td />
					{hours.map((hour) => (
						<th scope="col">{String(hour).padStart(2, '0')}</th>
					))}
				</tr>
			</thead>
			<tbody>
				{Array.from({ length: days }, (_, index) => (
					<tr>
						<th scope="row">{shown.format((first + index) * day)}</th>
						{hours.map((hour) => (
							<HourCell use={use} hour={(first + index) * 24 + hour} />
						))}
					</tr>
				))}
			</tbody>
			<tfoot>
				<tr>
					<th scope="row">Wait, up to {duration(highest)}</th>
					{hours.map((hour) => (
						<WaitCell waits={use.waits.get(hour)} highest={highest} />
					))}
				</tr>
			</tfoot>
		</table>
	);
}

function HourCell({ use, hour }: { use: Overview['use']; hour: number }) {
	if (hour > use.now) return <td class="heat-later" />;
	const { used, boards } = useOfHour(use, hour);
	const share = boards ? used / boards : 0;
	const level = Math.min(levels, Math.ceil((share / fullShare) * levels));
	const text = boards
		? `${number(Math.round(used))} of ${number(boards)} boards`
		: `${number(Math.round(used))} boards`;
	return (
		<td class={`heat-${level}${hour === use.now ? ' heat-now' : ''}`} title={text}>
			<span class="unseen">{text}</span>
		</td>
	);
}

function longest(waits: Waits | undefined, share = 0.95) {
	const under = (waits && waitUnder(waits, share)) ?? 0;
	return Number.isFinite(under) ? under : 2 * 3600;
}

function WaitCell({ waits, highest }: { waits: Waits | undefined; highest: number }) {
	const text = `median ${waitText(waits, 0.5)}, 95 % ${waitText(waits, 0.95)}`;
	const bar = (name: string, share: number) => {
		const height = (longest(waits, share) / highest) * 100;
		return <rect class={name} x="0" y={100 - height} width="10" height={height} />;
	};
	return (
		<td title={text}>
			<svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
				{bar('wait-most', 0.95)}
				{bar('wait-median', 0.5)}
			</svg>
			<span class="unseen">{text}</span>
		</td>
	);
}
