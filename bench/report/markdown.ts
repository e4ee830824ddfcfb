// Sections as Markdown.
import type { Plot, Section, Table } from './section.ts';

export function markdown({ title, text, plots, tables }: Section) {
	return [
		`## ${title}`,
		'',
		...text.flatMap((paragraph) => [paragraph, '']),
		...plots.flatMap(plot),
		...tables.flatMap(table),
	].join('\n');
}

function line(cells: readonly string[]) {
	return `| ${cells.join(' | ')} |`;
}

function isNumber(cell: string) {
	return /^[\d.,]+( \(.*\))?$/.test(cell);
}

function table({ title, head, rows }: Table) {
	return [
		...(title ? [`**${title}**`, ''] : []),
		line(head),
		line(
			head.map((_, column) => (rows.every((row) => isNumber(row[column] ?? '')) ? '--:' : '---')),
		),
		...rows.map(line),
		'',
	];
}

function plot({ name, title }: Plot) {
	return [`![${title}](images/benchmarks/${name}.svg)`, ''];
}
