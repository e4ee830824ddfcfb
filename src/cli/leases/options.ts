// The options for a board and for its firmware, which several commands have.
import { type BoardAccess, isApiError } from 'board-access';
import type { Command } from 'commander';
import { checkFirmwareFile } from '../../ci/firmware-file.ts';
import {
	type ChosenBoard,
	checkRoles,
	type RoleBoard,
	readRoleBoard,
	readWantedTag,
} from '../../ci/wanted-boards.ts';
import { unknownTypes } from '../boards/boards.ts';
import { CliError } from '../failures/cli-error.ts';
import { repeatedly } from '../options.ts';
import { readBytes } from '../terminal/input.ts';
import type { Io } from '../terminal/io.ts';

export interface BoardOptions {
	type?: string;
	/** IDs, or boards with roles. */
	board?: readonly (string | RoleBoard)[];
	tag?: readonly (readonly [name: string, value: string | null])[];
	sameTag?: string;
	wait: number;
	label?: string;
}

export function withBoard(command: Command) {
	const board =
		'the board with this ID; or one of several: ROLE=TYPE[:TAG=VALUE][,FIRMWARE]; repeat it';
	return command
		.option('--type <type>', 'a board of this type')
		.option(
			'--tag <name[=value]>',
			'with --type: a board that has this tag; repeat it for several tags',
			repeatedly(readWantedTag),
		)
		.option(
			'--board <id>',
			board,
			repeatedly((text) => (text.includes('=') ? readRoleBoard(text) : text)),
		)
		.option('--same-tag <name>', 'all boards have the same value of this tag, for example bench');
}

/** The chosen boards with their roles, or one without. */
export function boardsOf(options: BoardOptions, more = ''): ChosenBoard[] {
	const { type, board = [], tag = [], sameTag } = options;
	const [first, ...others] = board;
	const isOne = others.length === 0 && typeof first !== 'object' && sameTag === undefined;
	const tags = Object.fromEntries(tag);
	if (isOne && type !== undefined && first === undefined) {
		return [{ role: null, wanted: { boardType: type, tags } }];
	}
	if (isOne && type === undefined && first !== undefined) {
		return [{ role: null, wanted: { boardId: first, tags } }];
	}
	const group = board.filter((one) => typeof one === 'object');
	const hint = '"board-access boards list" shows types and boards.';
	const invalid = (message: string) => new CliError(message, { hint });
	if (group.length === 0) {
		if (first === undefined && tag.length > 0)
			throw invalid('Pass --tag with --type: it chooses among the boards of a type');
		if (sameTag !== undefined)
			throw invalid('Pass --same-tag only with several boards, each as --board ROLE=TYPE');
		throw invalid(`Choose the board with either --type or --board${more}`);
	}
	if (group.length < board.length || type !== undefined || tag.length > 0) {
		throw invalid('Write each of several boards as --board ROLE=TYPE, its tags after colons');
	}
	try {
		checkRoles(group);
	} catch (error) {
		throw new CliError((error as Error).message); // nothing else is thrown
	}
	return group;
}

/** Adds the known types to the error for a mistyped one. */
export async function withKnownTypes(
	cause: unknown,
	{ client, type, io }: { client: BoardAccess; type: string | undefined; io: Io },
) {
	if (type === undefined || !isApiError(cause, 'board_type_not_found')) return cause;
	return (await unknownTypes(client, [type], io)) ?? cause;
}

export interface FirmwareOptions {
	raw?: true;
	flashOffset?: string;
}

export function withFirmware(command: Command) {
	return command
		.option('--raw', 'flash the bytes of a file that is neither Intel HEX, UF2 nor ELF')
		.option('--flash-offset <offset>', 'where raw bytes begin in the flash, for example 0x1000');
}

export async function readFirmware(file: string, options: FirmwareOptions) {
	const bytes = new Uint8Array(await readBytes(file));
	checkFirmwareFile(file, bytes, { ...options, rawOption: '--raw' });
	return bytes;
}
