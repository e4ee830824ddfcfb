// Board types that no board has: a mistyped type looks the same as a busy pool otherwise.
import type { BoardAccess } from 'board-access';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { probably } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { note } from '../terminal/output.ts';

/** The error for the types that no board has; nothing if there are none. */
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

/** Base images of such a type are no error: its boards may be added later. */
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
		// What was wanted is done.
	}
}

function unknownType(name: string, known: readonly string[]) {
	const message = `There is no board type "${name}".`;
	if (known.length === 0) return message;
	const meant = probably(name, known);
	if (meant) return `${message} Did you mean ${meant}?`;
	return `${message} Known types: ${known.join(', ')}.`;
}
