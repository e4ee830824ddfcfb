// CSV files, with the line of each row.
import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRow {
	line: number;
	values: string[];
}

export function parseCsv(text: string, max = Infinity): CsvRow[] {
	const rows: CsvRow[] = [];
	let records = 0;
	// csv-parse would count CR LF between quotes twice.
	let line = 1;
	const onRecord = (record: string[]) => {
		records += 1;
		if (records > max) throw new Error(`There are more than ${max} rows`);
		const values = record.map(unguard);
		if (values.some((value) => value !== '')) rows.push({ line, values });
		line += values.join('').split('\n').length;
		return null;
	};
	try {
		parse(text, { ...format, onRecord });
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		const problem = problems[error.code] ?? error.message;
		throw new Error(`line ${line}: ${problem}`, { cause: error });
	}
	return rows;
}

export function writeCsv(rows: readonly (readonly string[])[]) {
	return rows.map((row) => `${row.map(guard).map(quote).join(',')}\n`).join('');
}

const format = {
	recordDelimiter: ['\n', '\r\n'],
	relaxColumnCount: true,
	// Ends a cell whose quote is never closed.
	maxRecordSize: 1_000_000,
};

const problems: Partial<Record<CsvError['code'], string>> = {
	CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
	INVALID_OPENING_QUOTE: 'a field with a quote in it must be quoted as a whole',
	CSV_INVALID_CLOSING_QUOTE: 'a quote in a quoted field must be doubled',
	CSV_MAX_RECORD_SIZE: 'the row is longer than 1,000,000 bytes, or a quote is not closed',
};

// Spreadsheets run cells that begin with these characters as formulas, unless an apostrophe precedes them.
function guard(value: string) {
	return /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function unguard(value: string) {
	return /^'+[=+\-@\t\r]/.test(value) ? value.slice(1) : value;
}

function quote(value: string) {
	return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
