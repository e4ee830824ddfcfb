// Boards as a matrix of GitHub Actions: one job a board.
import type { Board } from 'board-access';

export const matrixOf = (boards: readonly Board[]) => ({
	include: boards.map(({ id, name, boardType }) => ({ id, name, boardType })),
});

/** More jobs than this GitHub does not run of one matrix. */
export const largestMatrix = 256;
