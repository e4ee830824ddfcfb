// Sections as Markdown.
import type { Plot, Section, Table } from './section.ts';

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const isNumber = (cell: string) => /^[\d.,]+( \(.*\))?$/.test(cell);

const table = ({ title, head, rows }: Table) => [
	...(title ? [`**${title}**`, ''] : []),
	line(head),
	line(head.map((_, column) => (rows.every((row) => isNumber(row[column] ?? '')) ? '--:' : '---'))),
	...rows.map(line),
	'',
];

const plot = ({ name, title }: Plot) => [`![${title}](images/benchmarks/${name}.svg)`, ''];

export const markdown = ({ title, text, plots, tables }: Section) =>
	[
		`## ${title}`,
		'',
		...text.flatMap((paragraph) => [paragraph, '']),
		...plots.flatMap(plot),
		...tables.flatMap(table),
	].join('\n');
