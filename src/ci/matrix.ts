// Boards as a matrix of GitHub Actions: one job for each board.
import type { Board } from 'board-access';
import { safeId } from './safe-id.ts';

const maxMatrix = 256;

interface MatrixOptions {
	/** Whether boards that no agent drives are in the matrix, although a job cannot flash them. */
	includeUndriven: boolean;
	/** How users set it. */
	option: string;
}

/** The matrix, and what users should know about it. */
export function matrixOf(boards: readonly Board[], { includeUndriven, option }: MatrixOptions) {
	const usable = boards.filter(({ hasAgent }) => includeUndriven || hasAgent !== false);
	const include = usable.map(({ id, name, boardType }) => ({ id: safeId(id), name, boardType }));
	const leftOut = boards.length - usable.length;
	const notes = [
		...(leftOut > 0
			? [`Left out, because no agent drives them: ${leftOut} of ${boards.length} boards. ${option}`]
			: []),
		...(include.length > maxMatrix ? [`GitHub runs at most ${maxMatrix} jobs of one matrix.`] : []),
	];
	return { matrix: { include }, notes };
}
