// Medians and quartiles of several rounds.

/** The middle, and the quarters: half of all rounds lie between them. */
export interface Spread {
	median: number;
	low: number;
	high: number;
}

export function spreadOf(values: readonly number[]): Spread {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = Math.floor(sorted.length / 2);
	const at = (index: number) => sorted[index] ?? Number.NaN;
	return {
		median: sorted.length % 2 ? at(middle) : (at(middle - 1) + at(middle)) / 2,
		low: at(Math.floor((sorted.length - 1) / 4)),
		high: at(Math.ceil(((sorted.length - 1) * 3) / 4)),
	};
}

/** Each value in terms of the other's of the same round, so that a slow moment hits both. */
export function ratios(values: readonly number[], base: readonly number[]) {
	return spreadOf(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}

function digits(value: number) {
	return value >= 100 ? 0 : value >= 10 ? 1 : 2;
}

export function number(value: number) {
	return value.toLocaleString('en', { maximumFractionDigits: digits(value) });
}

/** `1.34 (1.28–1.41)` */
export function withSpread({ median, low, high }: Spread) {
	return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

export function shuffled<Item>(items: readonly Item[]) {
	return items
		.map((item) => ({ item, place: Math.random() }))
		.toSorted((one, other) => one.place - other.place)
		.map(({ item }) => item);
}
