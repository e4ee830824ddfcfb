// The plot beside the console: the numbers that it prints, over time. The chart is drawn by uPlot,
// which is loaded when there are numbers and the panel can be seen.

import { id, page } from '../page.js';
import { loadStyle } from '../style.js';
import { drawChart } from './chart.js';
import { collectNumbers, readNumbers } from './numbers.js';

const windows = [
	['30 s', 30_000],
	['2 min', 120_000],
	['10 min', 600_000],
];
const drawMilliseconds = 250;
const calmMilliseconds = 2_000;
const shownAtFirst = 2;
const maxMarks = 100;
const colors = 6;
/** As short as the other labels of the axis. */
const hourAndMinute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

const element = (name, properties = {}, ...children) => {
	const created = Object.assign(document.createElement(name), properties);
	created.append(...children);
	return created;
};

const stylesheet = new URL('../../uplot.css', import.meta.url);

const numberText = (value) =>
	value === undefined ? '–' : value.toLocaleString(undefined, { maximumFractionDigits: 3 });

/** Starts the plot in its panel. The functions that it returns take what the console shows. */
export const startPlot = () => {
	const panel = page.querySelector('[data-plot]');
	if (!panel) return undefined;
	const numbers = collectNumbers();
	let read = readNumbers();
	let marks = [];
	// The names that are shown, in the order in which they were chosen.
	let shown = [];
	let known = 0;
	let pausedAt;
	let clock = { skew: 0 };

	/* The panel */

	const span = element('select', { ariaLabel: 'Time that is shown' });
	span.append(...windows.map(([text, value]) => element('option', { value, textContent: text })));
	span.value = 120_000;
	const pause = element('button', { type: 'button', className: 'tool', textContent: 'Pause' });
	const download = element('button', { type: 'button', className: 'tool', textContent: 'CSV' });
	download.ariaLabel = 'Download the numbers as CSV';
	const legend = element('div', { className: 'plot-legend' });
	const chart = element('div', { className: 'plot-chart', role: 'img' });
	const tools = element('div', { className: 'plot-tools' }, span, pause, download);
	const head = element(
		'div',
		{ className: 'plot-head' },
		element('h2', { textContent: 'Plot' }),
		tools,
	);
	panel.replaceChildren(head, legend, chart);

	const classOf = (name) => `series-${numbers.names().indexOf(name) % colors}`;

	const choose = (name) => {
		shown = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
		showLegend();
		rebuild();
	};

	const entryOf = (name) => {
		const isShown = shown.includes(name);
		const value = element('strong', { className: 'number' });
		const entry = element(
			'button',
			{ type: 'button', className: 'plot-series' },
			element('span', { className: `plot-swatch ${classOf(name)}` }),
			`${name} `,
			value,
		);
		entry.setAttribute('aria-pressed', isShown);
		entry.addEventListener('click', () => choose(name));
		entry.show = () => {
			value.textContent = isShown ? numberText(numbers.last(name)) : '';
		};
		return entry;
	};

	const showLegend = () => {
		legend.replaceChildren(...numbers.names().map(entryOf));
		panel.hidden = known === 0;
	};

	const showValues = () => {
		for (const entry of legend.children) entry.show();
		const texts = shown.map((name) => `${name} ${numberText(numbers.last(name))}`);
		chart.ariaLabel = `The last ${span.selectedOptions[0].text}: ${texts.join(', ')}`;
	};

	/* The chart */

	let UPlot;
	let plot;
	let isSeen = false;
	let timer;

	/** The end of the chart: of a lease that has ended, the last number. */
	const now = () => pausedAt ?? (clock.hasEnded ? numbers.times().at(-1) : Date.now() + clock.skew);
	const endText = (time) => {
		const isLive = pausedAt === undefined && !clock.hasEnded;
		return isLive ? 'now' : new Date(time).toLocaleTimeString([], hourAndMinute);
	};
	const drawn = () => ({
		series: shown.map((name) => ({ name, className: classOf(name) })),
		columns: () => [numbers.times(), ...shown.map((name) => numbers.column(name))],
		range: () => [now() - Number(span.value), now()],
		endText,
		marks: () => marks,
	});

	const rebuild = () => {
		plot?.remove();
		plot = UPlot && isSeen && known > 0 ? drawChart(UPlot, chart, drawn()) : undefined;
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
		const milliseconds = isCalm ? calmMilliseconds : drawMilliseconds;
		if (timer === undefined) timer = setTimeout(draw, milliseconds);
	};

	const takeNames = () => {
		const fresh = numbers.names().slice(known);
		known += fresh.length;
		shown = [...shown, ...fresh.slice(0, Math.max(0, shownAtFirst - shown.length))];
		showLegend();
		rebuild();
		if (!UPlot) load();
	};

	const load = async () => {
		[{ default: UPlot }] = await Promise.all([import('../../uplot.js'), loadStyle(stylesheet)]);
		rebuild();
	};

	/* What is done with it */

	pause.addEventListener('click', () => {
		pausedAt = pausedAt === undefined ? now() : undefined;
		pause.setAttribute('aria-pressed', pausedAt !== undefined);
		pause.textContent = pausedAt === undefined ? 'Pause' : 'Resume';
	});
	span.addEventListener('change', () => plot?.show());
	download.addEventListener('click', () => {
		const href = URL.createObjectURL(new Blob([numbers.csv()], { type: 'text/csv' }));
		element('a', { href, download: `${id}.csv` }).click();
		setTimeout(() => URL.revokeObjectURL(href));
	});
	new IntersectionObserver(([{ isIntersecting }]) => {
		isSeen = isIntersecting;
		if (isSeen) draw();
	}).observe(panel);
	document.addEventListener('visibilitychange', draw);
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', rebuild);
	showLegend();

	return {
		add({ text, time }) {
			const found = read(text);
			if (!found) return;
			numbers.add(found, time);
			if (known === 0) schedule();
		},
		setClock(known) {
			clock = known;
		},
		mark(mark) {
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
};
