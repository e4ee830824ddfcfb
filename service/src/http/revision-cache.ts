// Pages in memory, until the revision of what is on them is another one.

/**
 * Keeps in memory what was read of the boards, for as long as their revision is the same and until the sizes
 * add up to more than `most`.
 */
export function createRevisionCache<Value>(sizeOf: (value: Value) => number, most: number) {
	let kept = { revision: Number.NaN, size: 0, values: new Map<string, Promise<Value>>() };
	return {
		/** What is kept for this revision, or what is read now. */
		get(key: string, revision: number, read: () => Promise<Value>): Promise<Value> {
			if (kept.revision !== revision || kept.size > most) {
				kept = { revision, size: 0, values: new Map() };
			}
			const known = kept.values.get(key);
			if (known) return known;
			// The revision was read first, so what is read now is of this one or a later one.
			const value = read();
			const own = kept;
			own.values.set(key, value);
			value.then(
				(result) => (own.size += key.length + sizeOf(result)),
				() => own.values.delete(key),
			);
			return value;
		},
	};
}
