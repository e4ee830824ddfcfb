// Boards as a matrix of GitHub Actions: one job a board.
import type { Board } from 'board-access';

export const matrixOf = (boards: readonly Board[]) => ({
	include: boards.map(({ id, name, boardType }) => ({ id, name, boardType })),
});

const largestMatrix = 256;

export const matrixWarning = (boards: readonly Board[]) =>
	boards.length > largestMatrix
		? `GitHub runs at most ${largestMatrix} jobs of one matrix.`
		: undefined;
