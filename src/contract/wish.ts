// A board as people write it: a type or an ID, then its tags after colons, such as `rp2040-pico:radio=lora`.

export function readWish(text: string) {
	const [name = '', ...tags] = text.split(':');
	const board = name.startsWith('brd_') ? { board_id: name } : { board_type: name };
	return { ...board, tags: Object.fromEntries(tags.map(readTag)) };
}

/** A name and a value, or a name alone for any value. */
export function readTag(text: string): [name: string, value: string | null] {
	const at = text.indexOf('=');
	return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
