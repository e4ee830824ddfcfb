// The words that boards are found by, and the key that sorts their names. They are made here and not
// by the database, so that both databases find and sort the same.

interface Described {
	id: string;
	name: string;
	board_type: string;
	description: string;
	tags: Readonly<Record<string, string>>;
}

/** The columns that a board is found and sorted by. */
export function searchColumns({ id, name, board_type, description, tags }: Described) {
	const pairs = Object.entries(tags).map(([tag, value]) => `${tag}:${value}`);
	const text = [name, id, board_type, description, ...pairs].join(' ');
	return { name_key: sortKey(name), words: chunksOf(text).join('') };
}

/** What a search asks for: a board has all of these in its words. */
export function soughtWords(text: string) {
	return [...new Set(chunksOf(text))];
}

/**
 * The chunks between white space, whose words are joined by `-`, and `:` in a tag. Each word follows a space, so
 * that it is found by its beginning: `rack-2` and `s3` in longer chunks, too.
 */
function chunksOf(text: string) {
	return plain(text)
		.split(/\s+/)
		.map((chunk) => chunk.replace(/[^\p{L}\p{N}:]+/gu, '-').replace(/^[-:]+|-$/g, ''))
		.map((chunk) => chunk.replace(/[\p{L}\p{N}]+/gu, ' $&'))
		.filter(Boolean);
}

/** A number is preceded by the number of its digits, so that board-2 comes before board-10. */
export function sortKey(name: string) {
	return plain(name).replace(/\d+/g, (digits) => {
		const value = digits.replace(/^0+(?=\d)/, '');
		return String(value.length).padStart(3, '0') + value;
	});
}

/** Without case, accents and other forms of the same letter. */
function plain(text: string) {
	return text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}
