// Randomness derived from a name, so that removing one thing does not change the others.

/** Numbers from 0 up to 1. */
export type Random = () => number;

/** The same numbers for the same names. */
export function randomOf(...names: readonly (string | number)[]): Random {
	let state = hashOf(names.join('\0'));
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** A whole number from `least` to `most`. */
export function between(random: Random, least: number, most: number): number {
	return least + Math.floor(random() * (most - least + 1));
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
	const item = items[Math.floor(random() * items.length)];
	if (item === undefined) throw new Error('There is nothing to pick');
	return item;
}

/** One of the keys, each as often as its weight says. */
export function weighted<Name extends string>(
	random: Random,
	weights: Readonly<Record<Name, number>>,
): Name {
	// The keys of an object are its keys: TypeScript widens them to strings.
	const entries = Object.entries(weights) as [Name, number][];
	let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
	for (const [name, weight] of entries) {
		left -= weight;
		if (left < 0) return name;
	}
	return entries[0]?.[0] as Name; // rounding: there is at least one
}

export function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	hash ^= hash >>> 16;
	hash = Math.imul(hash, 0x85ebca6b);
	return (hash ^ (hash >>> 13)) | 0;
}
