// Boards as a matrix of GitHub Actions: one job for each board.
import type { Board } from 'board-access';
import { safeId } from './safe-id.ts';

export function matrixOf(boards: readonly Board[]) {
	return {
		include: boards.map(({ id, name, boardType }) => ({ id: safeId(id), name, boardType })),
	};
}

const largestMatrix = 256;

export function matrixWarning(boards: readonly Board[]) {
	return boards.length > largestMatrix
		? `GitHub runs at most ${largestMatrix} jobs of one matrix.`
		: undefined;
}
