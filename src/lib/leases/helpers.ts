// Small things that several parts of a lease need.

/** An error in a watcher must not break the work. */
export function report<Progress>(
	watch: ((progress: Progress) => void) | undefined,
	progress: Progress,
) {
	try {
		watch?.(progress);
	} catch {
		// The error is the watcher's own.
	}
}

/** A key for one creation; `crypto.randomUUID` is missing on pages without TLS. */
export function uniqueKey() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function joinBytes(parts: readonly Uint8Array[]) {
	const all = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
	let end = 0;
	for (const part of parts) {
		all.set(part, end);
		end += part.length;
	}
	return all;
}
