// `board-access boards`: which boards there are.
import type { Board } from 'board-access';
import type { Command } from 'commander';
import { matrixOf, matrixWarning } from '../../ci/matrix.ts';
import { boardStatuses } from '../../contract/index.ts';
import { printableJson } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addCommand, openChoice, repeatedly, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { type Fields, note, printList, printRecord } from '../terminal/output.ts';
import type { Column, Moment } from '../terminal/table.ts';
import { whyNoBoard } from './no-board.ts';

interface ListOptions extends ServiceOptions {
	type?: readonly string[];
	tag?: readonly (readonly [name: string, value: string])[];
	status?: string;
	matrix?: true;
	failIfEmpty?: true;
	allowEmpty?: true;
}

const columns: readonly Column<Board>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'TYPE', value: ({ boardType }) => boardType, whole: true },
	{ title: 'STATUS', value: ({ status }) => status, whole: true },
	{ title: 'NAME', value: ({ name }) => name },
	{ title: 'TAGS', value: ({ tags }) => tagsText(tags) },
	{ title: 'DESCRIPTION', value: ({ description }) => description },
];

export function addBoards(program: Command, io: Io) {
	const boards = program.command('boards').description('list boards and show their details');
	const repeat = 'repeat it for several';
	addCommand(boards, 'list', 'list boards', [
		'board-access boards list --type esp32-s3 --status available --fail-if-empty',
		'board-access boards list --tag location=rack-1',
		'board-access boards list --json | jq -r ".[].id"',
		'echo "matrix=$(board-access boards list --matrix)" >> "$GITHUB_OUTPUT"',
	])
		.option('--type <type>', `only boards of this type; ${repeat} types`, repeatedly(String))
		.option('--tag <name=value>', `only boards with this tag; ${repeat} tags`, repeatedly(readTag))
		.addOption(openChoice('--status <status>', 'only boards with this status', boardStatuses))
		.option('--fail-if-empty', 'fail with exit code 12 if no board matches')
		.option('--matrix', 'print a GitHub Actions matrix; implies --fail-if-empty')
		.option('--allow-empty', 'accept an empty matrix')
		.action(withClient(io, list));
	const getExample = 'board-access boards get brd_esp32-s3-01';
	addCommand(boards, 'get', 'show one board', [getExample])
		.argument('<id>', 'ID of the board')
		.action(
			withClient(io, async (call, id: string) => {
				const board = await call.client.boards.get(id, { signal: call.signal });
				printRecord(board, detailsOf, call);
			}),
		);
}

async function list(call: Call<ListOptions>) {
	const { client, options, io, signal } = call;
	const { type: boardType, status, tag = [], matrix, json } = options;
	const tags = Object.fromEntries(tag);
	const boards = await client.boards.list({ boardType, status, tags }, { signal });
	const mayBeEmpty = options.allowEmpty || !(matrix || options.failIfEmpty);
	if (boards.length === 0 && !mayBeEmpty) throw noBoard(await whyNoBoard(client, options, io));
	if (matrix) return printMatrix(boards, io);
	const empty = boards.length === 0 && !json ? await whyNoBoard(client, options, io) : '';
	printList(boards, { columns, empty }, call);
}

/** `location=rack-1`, as tables show it, or `location:rack-1`, as the HTTP API takes it. */
function readTag(text: string) {
	const [, name, value] = /^([^=:]+)[=:](.*)$/s.exec(text) ?? [];
	if (name !== undefined && value !== undefined) return [name, value] as const;
	throw new Error('Expected a tag such as location=rack-1.');
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

/** `arch=xtensa location=rack-1` */
function tagsText(tags: Board['tags']) {
	return Object.entries(tags ?? {})
		.map(([name, value]) => `${name}=${value}`)
		.join(' ');
}

const earlierFirmware =
	'earlier firmware: until you flash the board, it may run what an earlier user flashed. ' +
	'To change this, an administrator sets between_leases: erase for its agent, or adds a base image';

const nothing = 'no earlier firmware: it is erased or overwritten before the board is yours';

function detailsOf(board: Board, moment: Moment): Fields {
	return [
		['ID', board.id],
		['Name', board.name],
		['Type', board.boardType],
		['Status', board.status],
		['Reason', board.statusReason],
		['Agent', board.hasAgent === false ? 'none: it can be leased, but not flashed' : undefined],
		['Keeps', board.keepsFirmware === false ? nothing : board.keepsFirmware && earlierFirmware],
		['Lease', board.leaseId],
		['Credits', board.creditsPerMinute ? `${board.creditsPerMinute} per minute` : undefined],
		['Tags', tagsText(board.tags)],
		['Text', board.description],
		['Added', moment(board.createdAt)],
		['Changed', moment(board.updatedAt)],
	];
}
