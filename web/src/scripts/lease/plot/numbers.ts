// Numbers in the lines of a console: `name:value` pairs, and comma-separated values.

// Each text matches in one way only: what a board prints may be long, and nearly a number.
const number = '[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d+)?';
// A unit may follow a value, as in "24.5 °C".
const measure = `^(${number})(?:\\s*[a-z%°µ][\\w%°/]*)?`;
const measureAndName = new RegExp(`${measure}[\\s,;|]+([a-z_][\\w .()/-]*)$`, 'i');
const lastMeasure = new RegExp(`${measure}[\\s,;|]*$`, 'i');
const firstName = /^[\s,;|]*([a-z_][\w .()/-]*)$/i;
const value = new RegExp(`^${number}$`, 'i');
const name = /^[a-z_][\w .()/-]*$/i;
const separator = /[,;\t]/;
const maxLine = 500;
const maxNames = 16;

export type NamedNumber = [name: string, value: number];

function pairsOf(text: string) {
	// Between two signs are the value of one name, and the next name.
	const [first = '', ...parts] = text.split(/[:=]/).map((part) => part.trim());
	let [, name] = firstName.exec(first) ?? [];
	const found: NamedNumber[] = [];
	for (const [index, part] of parts.entries()) {
		const pattern = index < parts.length - 1 ? measureAndName : lastMeasure;
		const [, value, next] = pattern.exec(part) ?? [];
		if (name === undefined || value === undefined) return undefined;
		found.push([name, Number(value)]);
		name = next;
	}
	return found.length > 0 ? found : undefined;
}

function split(text: string) {
	const parts = text.trim().replace(/[,;]$/, '').split(separator);
	return parts.map((part) => part.trim());
}

/** Returns a function that reads a line: names with numbers, or undefined if it has something else. */
export function readNumbers() {
	// The line above comma-separated values may name them.
	let header: string[] = [];
	return (text: string): NamedNumber[] | undefined => {
		if (text.length > maxLine) return undefined;
		const pairs = pairsOf(text);
		if (pairs) return pairs.slice(0, maxNames);
		const all = split(text);
		if (all.every((part) => value.test(part))) {
			const parts = all.slice(0, maxNames);
			const nameOf = (index: number) => (parts.length === 1 ? 'value' : `value ${index + 1}`);
			const known = header.length === parts.length ? header : [];
			return parts.map((part, index) => [known[index] ?? nameOf(index), Number(part)]);
		}
		if (all.length > 1 && all.every((part) => name.test(part))) header = all;
		return undefined;
	};
}

/** The numbers of a console by their names, each with its time; the oldest are dropped. */
export function collectNumbers(maxRows = 20_000) {
	let times: number[] = [];
	const columns = new Map<string, (number | null)[]>();

	const dropOldest = () => {
		const dropped = Math.ceil(maxRows / 4);
		times = times.slice(dropped);
		for (const [name, column] of columns) columns.set(name, column.slice(dropped));
	};

	return {
		names: () => [...columns.keys()],
		times: () => times,
		column: (name: string) => columns.get(name) ?? [],
		last: (name: string) => columns.get(name)?.findLast((value) => value !== null),
		add(numbers: readonly NamedNumber[], time: number) {
			if (times.length >= maxRows) dropOldest();
			// Times never go back, whatever the clock does.
			times.push(Math.max(time, times.at(-1) ?? 0));
			for (const [name, value] of numbers) {
				// A board may number its lines, each of which would have a name of its own.
				if (!columns.has(name) && columns.size >= maxNames) continue;
				const column = columns.get(name) ?? new Array(times.length - 1).fill(null);
				column[times.length - 1] = value;
				columns.set(name, column);
			}
			for (const column of columns.values()) if (column.length < times.length) column.push(null);
		},
		clear() {
			times = [];
			columns.clear();
		},
		csv() {
			const quote = (name: string) =>
				/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
			const head = ['time', ...[...columns.keys()].map(quote)].join(',');
			const rows = times.map((time, row) => {
				const cells = [...columns.values()].map((column) => column[row] ?? '');
				return [new Date(time).toISOString(), ...cells].join(',');
			});
			return `${[head, ...rows].join('\n')}\n`;
		},
	};
}
