// The chart of the plot: lines over the last seconds, and the marks of what was done. Loaded when there is
// something to plot.
import UPlot from 'uplot';
import css from 'uplot/dist/uPlot.min.css';
import { clockText } from '../leases/workbench/time-left.ts';
import { addStyle, create } from './dom.ts';

const height = 220;

addStyle(css);

export interface Drawn {
	series: readonly { name: string; color: string }[];
	/** The times, then the numbers of each series. */
	columns: () => [number[], ...(number | null)[][]];
	/** The first and the last time shown. */
	range: () => [number, number];
	/** The label of the last time. */
	endText: (time: number) => string;
	/** What was done, and when. */
	marks: () => readonly { time: number; text: string }[];
}

export type DrawChart = typeof drawChart;

function agoText(milliseconds: number) {
	return milliseconds >= 500 && `−${clockText(milliseconds)}`;
}

/** Draws the chart in an element. */
export function drawChart(place: HTMLElement, drawn: Drawn) {
	const { series, columns, range, endText, marks } = drawn;
	const canvasColor = (color: string) => {
		const probe = create('i');
		probe.style.color = color;
		place.append(probe);
		const value = getComputedStyle(probe).color;
		probe.remove();
		return value;
	};
	const font = `11px ${getComputedStyle(place).fontFamily}`;

	const drawMarks = (u: UPlot) => {
		const { ctx, bbox } = u;
		ctx.save();
		ctx.strokeStyle = canvasColor('var(--text)');
		ctx.fillStyle = ctx.strokeStyle;
		ctx.font = font.replace('11', String(11 * devicePixelRatio));
		ctx.textAlign = 'right';
		ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
		const gap = 4 * devicePixelRatio;
		let taken = Number.NEGATIVE_INFINITY;
		for (const { time, text } of marks()) {
			const x = u.valToPos(time, 'x', true);
			if (x < bbox.left || x > bbox.left + bbox.width) continue;
			ctx.beginPath();
			ctx.moveTo(x, bbox.top);
			ctx.lineTo(x, bbox.top + bbox.height);
			ctx.stroke();
			// Of marks that are close together, only the first has its text.
			if (x - gap - ctx.measureText(text).width < taken) continue;
			ctx.fillText(text, x - gap, bbox.top + 10 * devicePixelRatio);
			taken = x;
		}
		ctx.restore();
	};

	const axis = { stroke: canvasColor('var(--muted)'), ticks: { show: false }, font };
	const grid = { stroke: canvasColor('var(--line)'), width: 1 };
	const quarters: UPlot.Axis.Splits = (_, __, min, max) =>
		[0, 1, 2, 3, 4].map((n) => min + ((max - min) * n) / 4);
	const ago: UPlot.Axis.Values = ({ scales: { x } }, splits) =>
		splits.map((split) => agoText((x?.max ?? 0) - split) || endText(x?.max ?? 0));
	const lineOf = ({ name, color }: Drawn['series'][number], index: number): UPlot.Series => ({
		label: name,
		stroke: canvasColor(color),
		width: 1.5,
		...(index % 2 && { dash: [4, 3] }),
		spanGaps: true,
		points: { show: false },
	});
	const options: UPlot.Options = {
		width: place.clientWidth,
		height,
		legend: { show: false },
		cursor: { show: false },
		scales: { x: { time: false, range } },
		axes: [
			{ ...axis, grid: { show: false }, splits: quarters, values: ago, size: 24 },
			{ ...axis, grid, size: 44 },
		],
		series: [{}, ...series.map(lineOf)],
		hooks: { draw: [drawMarks] },
	};
	const plot = new UPlot(options, columns(), place);
	const sizes = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
	sizes.observe(place);
	return {
		show: () => plot.setData(columns()),
		remove() {
			sizes.disconnect();
			plot.destroy();
		},
	};
}
