// Asks before what cannot be undone.
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { ask } from './input.ts';
import type { Io } from './io.ts';

/** What is about to happen, for a user who is asked and for a script that cannot be. */
interface Plan {
	/** Why --yes is needed, for example `Revoking a key needs --yes without a terminal`. */
	unattended: string;
	/** Returns the question. */
	question: () => Promise<string> | string;
	/** What a "no" means, for example `No key was revoked`. */
	refused: string;
}

/** Returns if the user agrees, with --yes or when asked; fails if there is no terminal to ask on. */
export async function confirm(
	{ unattended, question, refused }: Plan,
	{ options, io }: { options: { yes?: true }; io: Io },
) {
	if (options.yes) return;
	if (!io.stdin.isTTY || !io.stderr.isTTY)
		throw new CliError(unattended, { code: 'not_confirmed' });
	if (/^y(es)?$/i.test(await ask(`${await question()} [y/N] `, io))) return;
	throw new CliError(refused, { code: 'not_confirmed', exitCode: exitCodes.general });
}
