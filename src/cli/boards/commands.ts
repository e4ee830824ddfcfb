// `board-access boards`: which boards there are.
import type { Board, BoardStatus } from 'board-access';
import type { Command } from 'commander';
import { matrixOf } from '../../ci/matrix.ts';
import { boardStatuses } from '../../contract/index.ts';
import { printable, printableJson } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addCommand, openChoice, repeatedly, type ServiceOptions } from '../options.ts';
import { type Call, withClient } from '../service/connect.ts';
import type { Io } from '../terminal/io.ts';
import { type Fields, note, printList, printRecord } from '../terminal/output.ts';
import type { Column, Moment } from '../terminal/table.ts';
import { priceOf, unknownTypes } from './boards.ts';

interface ListOptions extends ServiceOptions {
	type?: readonly string[];
	tag?: readonly (readonly [name: string, value: string])[];
	status?: BoardStatus;
	hasAgent?: true;
	matrix?: true;
	includeUndriven?: true;
	failIfEmpty?: true;
	allowEmpty?: true;
}

const driven: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

const columns: readonly Column<Board>[] = [
	{ title: 'ID', value: ({ id }) => id, whole: true },
	{ title: 'TYPE', value: ({ boardType }) => boardType, whole: true },
	{ title: 'STATUS', value: ({ status }) => status, whole: true },
	{ title: 'AGENT', value: ({ hasAgent }) => driven[String(hasAgent)] },
	{
		title: 'CREDITS',
		value: ({ creditsPerMinute }) => (creditsPerMinute ? `${creditsPerMinute}/min` : undefined),
	},
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
		.option('--has-agent', 'only boards that an agent drives, which can be flashed')
		.option('--fail-if-empty', 'fail with exit code 12 if no board matches')
		.option('--matrix', 'print a GitHub Actions matrix; implies --fail-if-empty')
		.option('--include-undriven', 'also put boards into the matrix that no agent drives')
		.option('--allow-empty', 'accept an empty matrix')
		.action(withClient(io, list));
	addCommand(boards, 'watch', 'print boards, and then each change, until it is interrupted', [
		'board-access boards watch --type esp32-s3',
		'board-access boards watch --status available --json | jq --unbuffered -r .board.id',
	])
		.option('--type <type>', `only boards of this type; ${repeat} types`, repeatedly(String))
		.addOption(openChoice('--status <status>', 'only boards with this status', boardStatuses))
		.action(withClient(io, watch));
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
	const { client, options, signal } = call;
	const { type: boardType, status, tag = [], hasAgent } = options;
	const tags = Object.fromEntries(tag);
	const boards = await client.boards.list({ boardType, status, hasAgent, tags }, { signal });
	const empty = boards.length === 0 ? await whyEmpty(call) : '';
	if (options.matrix) printMatrix(boards, call);
	else printList(boards, { columns, empty }, call);
}

/** The message; throws an error if the list must not be empty, or no board has one of the types. */
async function whyEmpty({ client, options, io }: Call<ListOptions>) {
	const { type, tag, status, hasAgent, matrix, failIfEmpty, allowEmpty } = options;
	const unknown = type && !allowEmpty ? await unknownTypes(client, type, io) : undefined;
	const isBusy = type && status && !tag && !hasAgent;
	const why = isBusy ? `No board of type ${type.join(', ')} is ${status}.` : 'No board matches.';
	if ((matrix || failIfEmpty) && !allowEmpty) throw noBoard(unknown?.message ?? why);
	if (unknown) throw unknown;
	return why;
}

async function watch({ client, options, io, signal }: Call<ListOptions>) {
	const { type: boardType, status, json } = options;
	const ofTypes = client.boards.list({ boardType, pageSize: 1 }, { signal });
	if (boardType && (await ofTypes.first(1)).length === 0) {
		const unknown = await unknownTypes(client, boardType, io);
		if (unknown) throw unknown;
	}
	for await (const change of client.boards.watch({ boardType, status }, { signal })) {
		const { type, board } = change;
		const before = type === 'changed' && change.before.status !== board.status;
		const statuses = before ? `${change.before.status} → ${board.status}` : board.status;
		const line = [type, board.id, statuses, board.name].join('  ');
		io.stdout.write(`${json ? printableJson(change, 0) : printable(line)}\n`);
	}
}

/** Also with a colon, as in the HTTP API. */
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

function printMatrix(boards: readonly Board[], { options, io }: Call<ListOptions>) {
	const { includeUndriven = false, allowEmpty } = options;
	const option = '--include-undriven includes them.';
	const { matrix, notes } = matrixOf(boards, { includeUndriven, option });
	for (const text of notes) note(text, io);
	if (matrix.include.length === 0 && !allowEmpty) {
		throw noBoard('No agent drives a board that matches.');
	}
	io.stdout.write(`${printableJson(matrix, 0)}\n`);
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

function agentOf({ hasAgent }: Board) {
	if (hasAgent === undefined) return undefined;
	return hasAgent ? 'drives it' : 'none: it can be leased, but not flashed';
}

function detailsOf(board: Board, moment: Moment): Fields {
	return [
		['ID', board.id],
		['Name', board.name],
		['Type', board.boardType],
		['Status', board.status],
		['Reason', board.statusReason],
		['Agent', agentOf(board)],
		['Keeps', board.keepsFirmware === false ? nothing : board.keepsFirmware && earlierFirmware],
		['Lease', board.leaseId],
		['Price', board.creditsPerMinute === 0 ? 'free' : priceOf(board)],
		['Tags', tagsText(board.tags)],
		['Description', board.description],
		['Added', moment(board.createdAt)],
		['Changed', moment(board.updatedAt)],
	];
}
