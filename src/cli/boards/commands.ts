// `board-access boards`: which boards there are.
import type { Board, BoardAccess } from 'board-access';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { matrixOf, matrixWarning } from '../../ci/matrix.ts';
import { boardStatuses } from '../../contract/index.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addServiceCommand, examples, repeated, type ServiceOptions } from '../options.ts';
import { connect } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { note, printJson, printList } from '../terminal/output.ts';
import { printableJson } from '../terminal/style.ts';
import { boardColumns } from './columns.ts';
import { printBoard } from './details.ts';
import { whyNoBoard } from './no-board.ts';

interface ListOptions extends ServiceOptions {
	type?: readonly string[];
	tag?: readonly (readonly [name: string, value: string])[];
	status?: string;
	matrix?: true;
	failIfEmpty?: true;
	allowEmpty?: true;
}

export function addBoards(program: Command, io: Io) {
	const boards = program.command('boards').description('list boards and show their details');
	addServiceCommand(boards, 'list')
		.description('list boards')
		.option('--type <type>', 'only boards of this type; repeat it for several types', repeated)
		.option('--tag <name=value>', 'only boards with this tag; repeat it for several tags', readTag)
		.addOption(statusOption())
		.option('--fail-if-empty', 'fail with exit code 12 if no board matches')
		.option('--matrix', 'print a GitHub Actions matrix; implies --fail-if-empty')
		.option('--allow-empty', 'accept an empty matrix')
		.addHelpText(
			'after',
			examples(
				'board-access boards list --type esp32-s3 --status available --fail-if-empty',
				'board-access boards list --tag location=rack-1',
				'board-access boards list --json | jq -r ".[].id"',
				'echo "matrix=$(board-access boards list --matrix)" >> "$GITHUB_OUTPUT"',
			),
		)
		.action((options: ListOptions) => list(options, io));
	addGet(boards, io);
}

function addGet(boards: Command, io: Io) {
	return addServiceCommand(boards, 'get')
		.description('show one board')
		.argument('<id>', 'ID of the board')
		.addHelpText('after', examples('board-access boards get brd_esp32-s3-01'))
		.action((id: string, options: ServiceOptions) => get(id, options, io));
}

async function get(id: string, options: ServiceOptions, io: Io) {
	const client = await connect(options, io);
	const board = await client.boards.get(id, { signal: io.signal });
	if (options.json) return printJson(board, io);
	printBoard(board, io);
}

/** Offers the known statuses, and accepts others: a service may have more. */
function statusOption() {
	return new Option('--status <status>', 'only boards with this status')
		.choices(boardStatuses)
		.argParser((status) => status);
}

async function list(options: ListOptions, io: Io) {
	const client = await connect(options, io);
	const boards = await matching(client, options, io);
	const mayBeEmpty = options.allowEmpty || !(options.matrix || options.failIfEmpty);
	if (boards.length === 0 && !mayBeEmpty) throw noBoard(await whyNoBoard(client, options, io));
	if (options.matrix) return printMatrix(boards, io);
	const empty = boards.length === 0 && !options.json ? await whyNoBoard(client, options, io) : '';
	printList(boards, { columns: boardColumns, empty }, { options, io });
}

/** `location=rack-1`, as tables show it, or `location:rack-1`, as the HTTP API takes it. */
function readTag(text: string, earlier: ListOptions['tag'] = []): ListOptions['tag'] {
	const [, name, value] = /^([^=:]+)[=:](.*)$/s.exec(text) ?? [];
	if (name === undefined || value === undefined) {
		throw new InvalidArgumentError('Expected a tag such as location=rack-1.');
	}
	return [...earlier, [name, value]];
}

/** The boards of any of the types that have all of the tags. */
async function matching(client: BoardAccess, options: ListOptions, { signal }: Io) {
	const { type: boardType, status, tag = [] } = options;
	return await client.boards.list({ boardType, status, tags: Object.fromEntries(tag) }, { signal });
}

function noBoard(message: string) {
	return new CliError(message, {
		code: 'no_boards',
		exitCode: exitCodes.noBoard,
		hint: 'Retry later, or remove --type, --tag or --status. With --matrix, --allow-empty accepts an empty matrix.',
	});
}

function printMatrix(boards: readonly Board[], io: Io) {
	const warning = matrixWarning(boards);
	if (warning) note(warning, io);
	io.stdout.write(`${printableJson(matrixOf(boards), 0)}\n`);
}
