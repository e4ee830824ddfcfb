// The fields of one board.
import type { Board } from 'board-access';
import { printDetails } from '../terminal/details.ts';
import type { Io } from '../terminal/io.ts';
import { tagsText } from './columns.ts';

export function printBoard(board: Board, io: Io) {
	printDetails(
		(moment) => [
			['ID', board.id],
			['Name', board.name],
			['Type', board.boardType],
			['Status', board.status],
			['Reason', board.statusReason],
			['Agent', board.hasAgent === false ? 'none: it can only be reserved' : undefined],
			['Lease', board.leaseId],
			['Credits', board.creditsPerMinute ? `${board.creditsPerMinute} per minute` : undefined],
			['Tags', tagsText(board.tags)],
			['Text', board.description],
			['Added', moment(board.createdAt)],
			['Changed', moment(board.updatedAt)],
		],
		io,
	);
}
