// Pages in memory, until the revision of what is on them is another one.

/** Keeps what was read for as long as its revision is the same, and until the sizes add up to more than `most`. */
export function createRevisionCache<Value>(sizeOf: (value: Value) => number, most: number) {
	let kept = { size: 0, values: new Map<string, { revision: unknown; value: Promise<Value> }>() };
	return {
		/** What is kept for this revision, or what is read now. */
		get(key: string, revision: unknown, read: () => Promise<Value>): Promise<Value> {
			if (kept.size > most) kept = { size: 0, values: new Map() };
			const known = kept.values.get(key);
			if (known && known.revision === revision) return known.value;
			// The revision was read first, so what is read now is of this one or a later one.
			const value = read();
			const own = kept;
			own.values.set(key, { revision, value });
			value.then(
				(result) => (own.size += key.length + sizeOf(result)),
				() => own.values.get(key)?.value === value && own.values.delete(key),
			);
			return value;
		},
	};
}
