// The words by which boards are found, and the keys by which they are sorted: the same on both databases.

import type { BoardRow } from '../database/schema.ts';

interface Described extends Pick<BoardRow, 'id' | 'name' | 'board_type' | 'description'> {
	tags: Readonly<Record<string, string>>;
}

export function searchColumns({ id, name, board_type, description, tags }: Described) {
	const pairs = Object.entries(tags).map(([tag, value]) => `${tag}:${value}`);
	const text = [name, id, board_type, description, ...pairs].join(' ');
	return { name_key: sortKey(name), words: chunksOf(text).join('') };
}

/** A board is found if its words contain all of these. */
export function soughtWords(text: string) {
	return [...new Set(chunksOf(text))];
}

/** Splits text at white space, and puts a space before each word, so that words are found by their beginnings. */
function chunksOf(text: string) {
	return plain(text)
		.split(/\s+/)
		.map((chunk) => chunk.replace(/[^\p{L}\p{N}:]+/gu, '-').replace(/^[-:]+|-$/g, ''))
		.map((chunk) => chunk.replace(/[\p{L}\p{N}]+/gu, ' $&'))
		.filter(Boolean);
}

/** A cursor has to have room for it. */
const maxSortKey = 200;

/** Puts the number of digits before each number, so that board-2 comes before board-10. */
export function sortKey(name: string) {
	const key = plain(name).replace(/\d+/g, (digits) => {
		const value = digits.replace(/^0+(?=\d)/, '');
		return String(value.length).padStart(3, '0') + value;
	});
	return key.slice(0, maxSortKey).toWellFormed();
}

/** Without case, accents and other forms of the same letter. */
function plain(text: string) {
	return text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}
