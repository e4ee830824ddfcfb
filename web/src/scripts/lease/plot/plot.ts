// The plot beside the console: the numbers that it prints, over time. The chart is loaded when there are
// numbers and the panel can be seen.
import type * as Chart from '../../chart.ts';
import type { DrawChart } from '../../chart.ts';
import { create, load } from '../../dom.ts';
import type { Line } from '../console/lines.ts';
import { id, page } from '../page.ts';
import { collectNumbers, readNumbers } from './numbers.ts';

const windows = [
	['30 s', 30_000],
	['2 min', 120_000],
	['10 min', 600_000],
] as const;
const drawMilliseconds = 250;
const calmMilliseconds = 2_000;
const shownAtFirst = 2;
const maxMarks = 100;
const colors = ['accent', 'blue', 'green', 'amber', 'red', 'text'];
/** As short as the other labels of the axis. */
const hourAndMinute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

function numberText(value: number | null | undefined) {
	return value?.toLocaleString(undefined, { maximumFractionDigits: 3 }) ?? '–';
}

/** Starts the plot in its panel. The functions that it returns take what the console shows. */
export function startPlot() {
	const panel = page.querySelector<HTMLElement>('[data-plot]');
	if (!panel) return undefined;
	const numbers = collectNumbers();
	let read = readNumbers();
	let marks: { time: number; text: string }[] = [];
	// The names that are shown, in the order in which they were chosen.
	let shown: string[] = [];
	let known = 0;
	let pausedAt: number | undefined;
	let clock: { skew: number; hasEnded?: boolean } = { skew: 0 };

	/* The panel */

	const span = create('select', { ariaLabel: 'Time that is shown' });
	for (const [text, value] of windows) span.append(new Option(text, String(value)));
	span.value = '120000';
	const tool = { type: 'button', className: 'tool' } as const;
	const pause = create('button', { ...tool, textContent: 'Pause' });
	const ariaLabel = 'Download the numbers as CSV';
	const download = create('button', { ...tool, ariaLabel, textContent: 'CSV' });
	const legend = create('div', { className: 'plot-legend' });
	const chart = create('div', { className: 'plot-chart', role: 'img' });
	const tools = create('div', { className: 'tools' }, span, pause, download);
	const head = create('div', { className: 'plot-head' }, create('h2', {}, 'Plot'), tools);
	panel.replaceChildren(head, legend, chart);
	let values = new Map<string, HTMLElement>();

	const colorOf = (name: string) =>
		`var(--${colors[numbers.names().indexOf(name) % colors.length]})`;

	const choose = (name: string) => {
		shown = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
		showLegend();
		rebuild();
	};

	const entryOf = (name: string) => {
		const value = create('strong', { className: 'number' });
		const swatch = create('span', { className: 'plot-swatch' });
		swatch.style.color = colorOf(name);
		const ariaPressed = String(shown.includes(name));
		const properties = { type: 'button', className: 'plot-series', ariaPressed } as const;
		const entry = create('button', properties, swatch, `${name} `, value);
		entry.addEventListener('click', () => choose(name));
		values.set(name, value);
		return entry;
	};

	const showLegend = () => {
		values = new Map();
		legend.replaceChildren(...numbers.names().map(entryOf));
		panel.hidden = known === 0;
	};

	const showValues = () => {
		for (const [name, value] of values) {
			value.textContent = shown.includes(name) ? numberText(numbers.last(name)) : '';
		}
		const texts = shown.map((name) => `${name} ${numberText(numbers.last(name))}`);
		chart.ariaLabel = `The last ${span.selectedOptions[0]?.text}: ${texts.join(', ')}`;
	};

	/* The chart */

	let drawChart: DrawChart | undefined;
	let plot: ReturnType<DrawChart> | undefined;
	let isSeen = false;
	let timer: ReturnType<typeof setTimeout> | undefined;

	/** The end of the chart: of a lease that has ended, the last number. */
	const now = () =>
		pausedAt ?? (clock.hasEnded ? numbers.times().at(-1) : undefined) ?? Date.now() + clock.skew;
	const endText = (time: number) => {
		const isLive = pausedAt === undefined && !clock.hasEnded;
		return isLive ? 'now' : new Date(time).toLocaleTimeString([], hourAndMinute);
	};

	const rebuild = () => {
		plot?.remove();
		plot = undefined;
		if (!drawChart || !isSeen || known === 0) return;
		plot = drawChart(chart, {
			series: shown.map((name) => ({ name, color: colorOf(name) })),
			columns: () => [numbers.times(), ...shown.map(numbers.column)],
			range: () => [now() - Number(span.value), now()],
			endText,
			marks: () => marks,
		});
	};

	const draw = () => {
		timer = undefined;
		if (document.visibilityState === 'hidden') return;
		// Without numbers, the panel is hidden.
		if (numbers.names().length > known) takeNames();
		if (!isSeen || known === 0) return;
		showValues();
		if (!plot) rebuild();
		else if (pausedAt === undefined) plot.show();
		schedule();
	};

	const schedule = () => {
		const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
		if (timer === undefined) timer = setTimeout(draw, isCalm ? calmMilliseconds : drawMilliseconds);
	};

	const takeNames = () => {
		const fresh = numbers.names().slice(known);
		if (known === 0) loadChart();
		known += fresh.length;
		shown = [...shown, ...fresh.slice(0, Math.max(0, shownAtFirst - shown.length))];
		showLegend();
		rebuild();
	};

	const loadChart = async () => {
		drawChart ??= (await load<typeof Chart>('chart.js')).drawChart;
		rebuild();
	};

	/* What is done with it */

	pause.addEventListener('click', () => {
		pausedAt = pausedAt === undefined ? now() : undefined;
		pause.ariaPressed = String(pausedAt !== undefined);
		pause.textContent = pausedAt === undefined ? 'Pause' : 'Resume';
	});
	span.addEventListener('change', () => plot?.show());
	download.addEventListener('click', () => {
		const href = URL.createObjectURL(new Blob([numbers.csv()], { type: 'text/csv' }));
		create('a', { href, download: `${id}.csv` }).click();
		setTimeout(() => URL.revokeObjectURL(href));
	});
	new IntersectionObserver((entries) => {
		isSeen = entries.at(-1)?.isIntersecting ?? false;
		if (isSeen) draw();
	}).observe(panel);
	document.addEventListener('visibilitychange', draw);
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', rebuild);
	showLegend();

	return {
		add({ text, time }: Line) {
			const found = read(text);
			if (!found) return;
			numbers.add(found, time);
			if (known === 0) schedule();
		},
		/** How far the clock of this browser is behind that of the service, and whether the lease has ended. */
		setClock(known: typeof clock) {
			clock = known;
		},
		mark(mark: { time: number; text: string }) {
			marks = [...marks, mark].slice(-maxMarks);
		},
		restart() {
			numbers.clear();
			read = readNumbers();
			marks = [];
			shown = [];
			known = 0;
			showLegend();
			rebuild();
		},
	};
}
