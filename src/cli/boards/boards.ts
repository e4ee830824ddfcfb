// What commands say about boards: their price, and types that no board has.
import type { BoardAccess } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { probably } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note } from '../terminal/output.ts';

/** Such as `2 credits a minute`; empty for a board that is free. */
export function priceOf(board: { creditsPerMinute?: number | null | undefined } = {}, before = '') {
	const { creditsPerMinute } = board;
	if (!creditsPerMinute) return '';
	return `${before}${creditsPerMinute} ${creditsPerMinute === 1 ? 'credit' : 'credits'} a minute`;
}

/** The error for types that no board has, which would otherwise look like busy boards. */
export async function unknownTypes(
	client: BoardAccess,
	types: readonly string[],
	{ signal }: Pick<Io, 'signal'>,
) {
	const boards = await client.boards.list({}, { signal });
	const known = [...new Set(boards.flatMap(({ boardType }) => boardType ?? []))].sort();
	const unknown = types.filter((name) => !known.includes(name));
	if (unknown.length === 0) return undefined;
	const message = unknown.map((name) => unknownType(name, known)).join(' ');
	return new CliError(message, { code: 'board_type_not_found', exitCode: exitCodes.notFound });
}

/** A warning, because boards of the type may be added later. */
export async function warnOfUnknownType(
	boardType: string | undefined,
	{ client, io }: { client: BoardAccess; io: Io },
) {
	if (!boardType) return;
	try {
		const [board] = await client.boards.list({ boardType }, { signal: io.signal }).first(1);
		const unknown = board ? undefined : await unknownTypes(client, [boardType], io);
		if (unknown) note(`warning: ${unknown.message} No board uses the base image.`, io);
	} catch {
		// The base image is stored all the same.
	}
}

function unknownType(name: string, known: readonly string[]) {
	const message = `There is no board type "${name}".`;
	if (known.length === 0) return message;
	const meant = probably(name, known);
	if (meant) return `${message} Did you mean ${meant}?`;
	return `${message} Known types: ${known.join(', ')}.`;
}
