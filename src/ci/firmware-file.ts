// Checks a firmware file before anything is sent, and before a board is waited for or erased.
import type { BoardAccess, LeaseInput } from 'board-access';
import {
	checkFormat,
	type FormatOptions,
	placeFirmware,
	readFirmware,
} from '../contract/firmware/index.ts';

/** A file that cannot be flashed; the message names it. */
export class FirmwareFileError extends Error {
	readonly code = 'invalid_firmware';

	constructor(file: string, { message }: Error) {
		super(`${file}: ${message}`);
	}
}

/** Adds the name of the file to what the service says about it. */
export function namingFile(error: unknown, file: string) {
	const isAboutFile =
		error instanceof Error && 'code' in error && error.code === 'invalid_firmware';
	if (isAboutFile) error.message = `${file}: ${error.message}`;
	return error;
}

/** Throws an error that names the file and says what is wrong, and where. */
export function checkFirmwareFile(file: string, bytes: Uint8Array, options: FormatOptions) {
	const problem = problemOf(() => {
		checkFormat(bytes, options);
		readFirmware(bytes);
	});
	if (problem) throw new FirmwareFileError(file, problem);
}

interface Flashing {
	file: string;
	firmware: Uint8Array;
	flashOffset?: string | undefined;
	board: LeaseInput;
}

/** Throws an error if the firmware fits none of the boards that may be leased, as far as they are known. */
export async function checkFit(
	client: BoardAccess,
	{ file, firmware, flashOffset = '0', board }: Flashing,
	signal?: AbortSignal,
) {
	const memories = await memoriesOf(client, board, signal);
	const problems = memories.map((memory) =>
		problemOf(() => placeFirmware(readFirmware(firmware), memory, Number(flashOffset))),
	);
	const [first] = problems;
	if (first && !problems.includes(undefined)) throw new FirmwareFileError(file, first);
}

/** Of the board, or of the first page of those of the type. */
async function memoriesOf(
	client: BoardAccess,
	{ boardId, boardType }: LeaseInput,
	signal?: AbortSignal,
) {
	try {
		if (boardId) return [(await client.boards.get(boardId, { signal })).memory ?? []].flat();
		const list = client.boards.list({ boardType: boardType ?? undefined }, { signal });
		const page = (await list.pages().next()).value;
		return page?.items.flatMap(({ memory }) => memory ?? []) ?? [];
	} catch (error) {
		// The lease is rejected for the same reason, in words that fit.
		if (error instanceof Error && error.name === 'ApiError') return [];
		throw error;
	}
}

function problemOf(check: () => unknown) {
	try {
		check();
		return undefined;
	} catch (error) {
		return error as Error; // only a FirmwareError is thrown here
	}
}
