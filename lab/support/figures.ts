// Medians, quartiles and percentiles, and how they are printed.

/** Milliseconds within which half of the responses, nearly all and the last one arrived. */
export interface Summary {
	requests: number;
	failed: number;
	p50: number;
	p95: number;
	p99: number;
	max: number;
}

/** Of times in which NaN stands for a request that failed. */
export function summaryOf(all: readonly number[]): Summary {
	const times = all.filter((time) => !Number.isNaN(time)).toSorted((one, other) => one - other);
	const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
	const [requests, failed] = [all.length, all.length - times.length];
	return { requests, failed, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** The median of several rounds, and the quarters: half of all rounds lie between them. */
export function spreadOf(values: readonly number[]) {
	const sorted = values.toSorted((one, other) => one - other);
	const at = (index: number) => sorted[index] ?? Number.NaN;
	const middle = (sorted.length - 1) / 2;
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		low: at(Math.floor((sorted.length - 1) / 4)),
		high: at(Math.ceil(((sorted.length - 1) * 3) / 4)),
	};
}

/** Each value in terms of the other's of the same round: `1.34 (1.28–1.41)`. */
export function ratio(values: readonly number[], base: readonly number[]) {
	const { median, low, high } = spreadOf(values.map((value, round) => value / (base[round] ?? 0)));
	return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

export function shown(value: number) {
	if (Number.isNaN(value)) return '–';
	const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2;
	return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** A table in Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]) {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [heads, heads.map(() => '---'), ...rows].map(line).join('\n');
}

/** What came of an attack, and what must not be. */
export interface Outcome {
	attack: string;
	outcome: string;
	problems: string[];
}
