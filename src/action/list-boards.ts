// The command `list-boards`.
import type { Board, BoardAccess } from 'board-access';
import { matrixOf, matrixWarning } from '../ci/matrix.ts';
import type { Runner } from './runner.ts';
import { summaryTable } from './summary.ts';

export async function listBoards(client: BoardAccess, runner: Runner) {
	const allowEmpty = runner.flag('allow-empty');
	const boards = await client.boards.list({
		boardType: runner.input('board-type') || undefined,
		status: runner.input('status') || undefined,
	});
	const matrix = matrixOf(boards);
	runner.output('boards', JSON.stringify(boards));
	runner.output('board-count', String(boards.length));
	runner.output('matrix', JSON.stringify(matrix));
	runner.summary(summaryTable(['Board', 'Name', 'Type', 'Status'], boards.map(row)));
	const warning = matrixWarning(boards);
	if (warning) runner.warning(warning);
	if (boards.length > 0 || allowEmpty) return;
	throw new Error(
		'No board matches. An empty matrix would let the workflow pass without a test; allow-empty: true accepts it.',
	);
}

function row({ id, name, boardType, status }: Board) {
	return [id, name ?? '', boardType ?? '', status ?? ''];
}
