// Plots as SVG that can be read on a light and on a dark page.
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Spread } from '../statistics.ts';
import type { Plot } from './section.ts';

const accent = '#2f81f7';
const muted = '#8b949e';

// A picture follows the reader's colour scheme; what the library writes as attributes gives way.
const style = `<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>`;

const common = {
	$schema: 'https://vega.github.io/schema/vega-lite/v6.json',
	background: 'transparent',
	width: 560,
	config: {
		font: 'system-ui, sans-serif',
		view: { stroke: null },
		axis: { gridColor: muted, gridOpacity: 0.25, domainColor: muted, tickColor: muted },
	},
} as const;

export interface Bars {
	name: string;
	title: string;
	bars: readonly ({ name: string } & Spread)[];
}

/** A bar for each name, shortest first, with a line between the quarters of all rounds. */
export function bars({ name, title, bars }: Bars) {
	const values = bars
		.toSorted((one, other) => one.median - other.median)
		.map((bar) => ({ ...bar, ours: ours(bar.name) }));
	const y = {
		field: 'name',
		type: 'nominal',
		title: null,
		sort: values.map((bar) => bar.name),
		axis: { labelLimit: 240 },
	} as const;
	return draw(name, title, {
		...common,
		title,
		data: { values },
		layer: [
			{
				mark: { type: 'bar', cornerRadiusEnd: 2 },
				encoding: {
					y,
					x: { field: 'median', type: 'quantitative', title: null },
					color: {
						field: 'ours',
						type: 'nominal',
						scale: { domain: [true, false], range: [accent, muted] },
						legend: null,
					},
				},
			},
			{
				mark: { type: 'rule', color: '#d29922', strokeWidth: 2 },
				encoding: {
					y,
					x: { field: 'low', type: 'quantitative' },
					x2: { field: 'high' },
				},
			},
		],
	});
}

async function draw(name: string, title: string, spec: TopLevelSpec): Promise<Plot> {
	const view = new View(parse(compile(spec).spec), { renderer: 'none' });
	const svg = await view.toSVG();
	const head = `<title>${title}</title>${style}`;
	return { name, title, svg: `${svg.replace(/<svg[^>]*>/, (tag) => tag + head)}\n` };
}

function ours(name: string) {
	return /^board-access|^service/.test(name);
}
