// Makes one write of what comes for the same name while a write for it is under way: a database
// gives a row to one writer at a time, however many wait. What waits for a write fails with it.

interface Share<Result> {
	/** The result of the write that this one was part of. */
	result: Result;
	/** How many came after this one in the same write. */
	later: number;
}

class Batch<Result> {
	size = 0;
	begun = false;
	readonly result: Promise<Result>;

	constructor(before: Promise<unknown> | undefined, write: (size: number) => Promise<Result>) {
		const begin = () => {
			this.begun = true;
			return write(this.size);
		};
		this.result = Promise.resolve(before).then(begin);
	}
}

export function batchWrites<Result>(write: (name: string, size: number) => Promise<Result>) {
	const latest = new Map<string, Batch<Result>>();

	const open = (name: string) => {
		const known = latest.get(name);
		if (known && !known.begun) return known;
		const batch = new Batch(known?.result, (size) => write(name, size));
		latest.set(name, batch);
		return batch;
	};

	return async (name: string): Promise<Share<Result>> => {
		const batch = open(name);
		batch.size += 1;
		const place = batch.size;
		try {
			const result = await batch.result;
			return { result, later: batch.size - place };
		} finally {
			if (latest.get(name) === batch) latest.delete(name);
		}
	};
}
