// Boards as a matrix of GitHub Actions: one job for each board.
import type { Board } from 'board-access';
import { safeId } from './escape.ts';

const maxMatrix = 256;

interface MatrixOptions {
	/** Whether to include boards without an agent, which cannot be flashed. */
	includeUndriven: boolean;
	/** How to set it, for a message. */
	option: string;
}

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
