// `board-access boards`: which boards there are.
import type { Board } from 'board-access';
import type { Command } from 'commander';
import { matrixOf, matrixWarning } from '../ci/matrix.ts';
import { CliError } from './failures/cli-error.ts';
import { exitCodes } from './failures/exit-codes.ts';
import { addServiceCommand, examples, type ServiceOptions } from './options.ts';
import { connect } from './service/connect.ts';
import type { Io } from './terminal/io.ts';
import { note, printList } from './terminal/output.ts';

interface ListOptions extends ServiceOptions {
	type?: string;
	status?: string;
	matrix?: true;
	allowEmpty?: true;
}

const columns = [
	{ title: 'ID', value: (board: Board) => board.id },
	{ title: 'NAME', value: (board: Board) => board.name },
	{ title: 'TYPE', value: (board: Board) => board.boardType },
	{ title: 'STATUS', value: (board: Board) => board.status },
	{ title: 'DESCRIPTION', value: (board: Board) => board.description },
];

export function addBoards(program: Command, io: Io) {
	const boards = program.command('boards').description('see which boards there are');
	addServiceCommand(boards, 'list')
		.description('list boards')
		.option('--type <type>', 'only boards of this type')
		.option('--status <status>', 'only boards with this status')
		.option('--matrix', 'print a GitHub matrix; fails if no board matches')
		.option('--allow-empty', 'let the matrix be empty')
		.addHelpText(
			'after',
			examples(
				'board-access boards list --type esp32-s3 --status available',
				'board-access boards list --json | jq -r ".[].id"',
				'echo "matrix=$(board-access boards list --matrix)" >> "$GITHUB_OUTPUT"',
			),
		)
		.action((options: ListOptions) => list(options, io));
}

function noBoards() {
	return new CliError('No board matches', {
		code: 'no_boards',
		exitCode: exitCodes.notFound,
		hint: 'An empty matrix would let the workflow pass without a test. --allow-empty allows it.',
	});
}

function printMatrix(boards: readonly Board[], options: ListOptions, io: Io) {
	if (boards.length === 0 && !options.allowEmpty) throw noBoards();
	const warning = matrixWarning(boards);
	if (warning) note(warning, io);
	io.stdout.write(`${JSON.stringify(matrixOf(boards))}\n`);
}

async function list(options: ListOptions, io: Io) {
	const client = await connect(options, io);
	const query = { boardType: options.type, status: options.status };
	const boards = await client.boards.list(query, { signal: io.signal });
	if (options.matrix) return printMatrix(boards, options, io);
	printList(boards, { columns, empty: 'No board matches.' }, { options, io });
}
