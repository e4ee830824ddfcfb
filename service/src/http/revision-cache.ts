// Pages in memory, until the revision of what is on them is another one.

interface Kept<Value> {
	revision: unknown;
	value: Promise<Value>;
	/** 0 until it is read. */
	size: number;
}

/** Keeps what was read for as long as its revision is the same, and until the sizes add up to more than `maxSize`. */
export function createRevisionCache<Value>(sizeOf: (value: Value) => number, maxSize: number) {
	const kept = new Map<string, Kept<Value>>();
	let size = 0;
	return {
		/** What is kept for this revision, or what is read now. */
		get(key: string, revision: unknown, read: () => Promise<Value>): Promise<Value> {
			if (size > maxSize) {
				kept.clear();
				size = 0;
			}
			const known = kept.get(key);
			if (known && known.revision === revision) return known.value;
			// The revision was read first, so what is read now is of this one or a later one.
			const own = { revision, value: read(), size: 0 };
			size -= kept.get(key)?.size ?? 0;
			kept.set(key, own);
			const isKept = () => kept.get(key) === own;
			own.value.then(
				(result) => {
					if (!isKept()) return;
					own.size = key.length + sizeOf(result);
					size += own.size;
				},
				() => isKept() && kept.delete(key),
			);
			return own.value;
		},
	};
}
