// Checks a firmware file before a board is leased.
import type { BoardAccess, WantedBoard } from 'board-access';
import {
	checkFormat,
	FirmwareError,
	type FormatOptions,
	placeFirmware,
	readFirmware,
} from '../contract/firmware/index.ts';

/** Adds the name of the file to an error about it. */
export function namingFile(error: unknown, file: string) {
	const isAboutFile =
		error instanceof Error && 'code' in error && error.code === 'invalid_firmware';
	if (isAboutFile) error.message = `${file}: ${error.message}`;
	return error;
}

export function checkFirmwareFile(file: string, bytes: Uint8Array, options: FormatOptions) {
	try {
		checkFormat(bytes, options);
		readFirmware(bytes);
	} catch (error) {
		throw namingFile(error, file);
	}
}

interface Flashing {
	file: string;
	firmware?: Uint8Array | undefined;
	flashOffset?: string | undefined;
	wanted: WantedBoard;
}

/** Throws an error if the firmware fits none of the boards that may be leased, as far as they are known. */
export async function checkFit(
	client: BoardAccess,
	{ file, firmware, flashOffset = '0', wanted }: Flashing,
	signal?: AbortSignal,
) {
	if (!firmware) return;
	const problems: FirmwareError[] = [];
	for (const memory of await memoriesOf(client, wanted, signal)) {
		try {
			placeFirmware(readFirmware(firmware), memory, Number(flashOffset));
			return;
		} catch (error) {
			if (!(error instanceof FirmwareError)) throw error;
			problems.push(error);
		}
	}
	if (problems.length > 0) throw namingFile(problems[0], file);
}

/** Of the board, or of the first boards of the type. */
async function memoriesOf(
	client: BoardAccess,
	{ boardId, boardType }: WantedBoard,
	signal?: AbortSignal,
) {
	try {
		if (boardId) return [(await client.boards.get(boardId, { signal })).memory ?? []].flat();
		const list = client.boards.list({ boardType: boardType ?? undefined }, { signal });
		const page = (await list.pages().next()).value;
		return page?.items.flatMap(({ memory }) => memory ?? []) ?? [];
	} catch (error) {
		// The lease will be rejected for the same reason.
		if (error instanceof Error && error.name === 'ApiError') return [];
		throw error;
	}
}
