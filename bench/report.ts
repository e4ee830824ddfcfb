// The result of a measurement, and how it becomes Markdown.

export interface Table {
	title?: string;
	head: readonly string[];
	rows: readonly (readonly string[])[];
}

export interface Section {
	title: string;
	text: readonly string[];
	tables: readonly Table[];
}

export function markdown({ title, text, tables }: Section) {
	return [
		`## ${title}`,
		'',
		...text.flatMap((paragraph) => [paragraph, '']),
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
