// Where output may be interrupted by a mark: not within a sequence or a character of which the rest
// follows with the next piece.

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with escape
const openSequence = /\x1b(?:\[[0-?]*[ -/]*|[ -/]*|[\]PX^_][^\x07\x1b]*)$/;
const openCharacter = /[\xc2-\xf4][\x80-\xbf]{0,2}$/;
// By the first four bits of a character.
const characterLengths: Record<number, number> = { 12: 2, 13: 2, 14: 3, 15: 4 };

export function isUnfinished(bytes: Uint8Array) {
	const tail = String.fromCharCode(...bytes.subarray(-64));
	const [character = ''] = openCharacter.exec(tail) ?? [];
	const length = characterLengths[character.charCodeAt(0) >> 4] ?? 0;
	return openSequence.test(tail) || character.length < length;
}
