// One board as lines of a name and a value.
import type { Board } from 'board-access';
import { age } from '../terminal/age.ts';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/style.ts';
import { tagsText } from './columns.ts';

/** The fields that have a value. On a terminal, timestamps are ages. */
export function detailsOf(board: Board, { stdout }: Io) {
	const moment = (time: string | null | undefined) => (stdout.isTTY ? age(time) : (time ?? ''));
	const fields: readonly [string, string | number | null | undefined][] = [
		['ID', board.id],
		['Name', board.name],
		['Type', board.boardType],
		['Status', board.status],
		['Reason', board.statusReason],
		['Lease', board.leaseId],
		['Credits', board.creditsPerMinute ? `${board.creditsPerMinute} per minute` : undefined],
		['Tags', tagsText(board.tags)],
		['Text', board.description],
		['Added', moment(board.createdAt)],
		['Changed', moment(board.updatedAt)],
	];
	return fields
		.filter(([, value]) => value)
		.map(([name, value]) => `${name.padEnd(9)}${printable(String(value))}\n`)
		.join('');
}
