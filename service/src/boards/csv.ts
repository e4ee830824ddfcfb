// Comma-separated values as RFC 4180 has them, with the line that each row starts on.

export interface CsvRow {
	line: number;
	values: string[];
}

// A field, quoted or bare, and what ends it.
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

export function parseCsv(text: string): CsvRow[] {
	const rows: CsvRow[] = [];
	let row: CsvRow = { line: 1, values: [] };
	let line = 1;
	field.lastIndex = 0;
	while (field.lastIndex < text.length) {
		const match = fieldIn(text, line);
		if (!match) throw new Error(`line ${line}: a quote is not closed or stands inside a field`);
		const [whole, quoted, bare = '', end] = match;
		row.values.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
		line += whole.split('\n').length - 1;
		if (end === ',' && field.lastIndex < text.length) continue;
		if (end === ',') row.values.push('');
		if (row.values.some((value) => value !== '')) rows.push(row);
		row = { line, values: [] };
	}
	return rows;
}

function fieldIn(text: string, line: number) {
	try {
		return field.exec(text);
	} catch {
		// The expression takes stack for every character between quotes, enough for some millions.
		throw new Error(`line ${line}: a field is too long`);
	}
}

export function writeCsv(rows: readonly (readonly string[])[]) {
	return rows.map((row) => `${row.map(quote).join(',')}\n`).join('');
}

function quote(value: string) {
	return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
