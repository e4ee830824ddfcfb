// The words that boards are found by, and the key that sorts their names. They are made here and not
// by the database, so that both databases find and sort the same.
import { sql } from 'kysely';

/** A board has no more words than this; PostgreSQL keeps a text of bounded length only. */
const mostWords = 1_000;
const longestWord = 60;

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
	const words = wordsOf([name, id, board_type, description, ...pairs].join(' '));
	return { name_key: sortKey(name), words: [...words].slice(0, mostWords).join(' ') };
}

/** On PostgreSQL, the parts of the index of a board's words: each word is a lexeme. */
export const lexemes = sql`array_to_tsvector(string_to_array(words, ' '))`;

/** What a search asks for: a board has words that begin with these, in any order. */
export function soughtWords(text: string) {
	return [...new Set(chunksOf(text).map(cut))];
}

/** Each chunk from each of its words on, so that `rack-2` and `s3` are found in longer ones. */
function wordsOf(text: string) {
	const starts = chunksOf(text).flatMap((chunk) =>
		[...chunk.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => cut(chunk.slice(index))),
	);
	return new Set(starts);
}

/** The chunks between white space, whose words are joined by `-`, and `:` in a tag. */
function chunksOf(text: string) {
	return plain(text)
		.split(/\s+/)
		.map((chunk) => chunk.replace(/[^\p{L}\p{N}:]+/gu, '-').replace(/^[-:]+|-+$/g, ''))
		.filter(Boolean);
}

function cut(word: string) {
	return [...word].slice(0, longestWord).join('');
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
