// Keeps in memory what was read of the boards, for as long as their revision is the same.

interface Entry<Value> {
	revision: number;
	value: Promise<Value>;
	size: number;
}

export interface Kept<Value> {
	/** What is kept for this revision, or what is read now. */
	get(key: string, revision: number, read: () => Promise<Value>): Promise<Value>;
}

/** What was not asked for the longest is dropped once the sizes add up to more than `most`. */
export function createKept<Value>(sizeOf: (value: Value) => number, most: number): Kept<Value> {
	const entries = new Map<string, Entry<Value>>();
	let total = 0;

	const drop = (key: string) => {
		total -= entries.get(key)?.size ?? 0;
		entries.delete(key);
	};

	const put = (key: string, entry: Entry<Value>) => {
		drop(key);
		entries.set(key, entry);
		total += entry.size;
	};

	const add = async (key: string, entry: Entry<Value>) => {
		put(key, entry);
		try {
			const size = key.length + sizeOf(await entry.value);
			if (entries.get(key) !== entry) return;
			put(key, Object.assign(entry, { size }));
			for (const oldest of entries.keys()) {
				if (total <= most) break;
				drop(oldest);
			}
		} catch {
			if (entries.get(key) === entry) drop(key);
		}
	};

	return {
		get(key, revision, read) {
			const known = entries.get(key);
			if (known?.revision === revision) {
				put(key, known);
				return known.value;
			}
			// The revision was read first, so what is read now is of this one or a later one.
			const entry = { revision, value: read(), size: 0 };
			void add(key, entry);
			return entry.value;
		},
	};
}
