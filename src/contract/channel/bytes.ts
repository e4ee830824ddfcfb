/** The bytes of all parts, one after the other. */
export function joinBytes(parts: readonly Uint8Array[]) {
	const all = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
	let end = 0;
	for (const part of parts) {
		all.set(part, end);
		end += part.length;
	}
	return all;
}
