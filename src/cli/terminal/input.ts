// Reads what a command needs besides its arguments: files, standard input, replies of the user.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { reasonOf } from '../../ci/file-reason.ts';
import { printable } from '../../contract/printable.ts';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Io } from './io.ts';

export async function readTextFile(file: string) {
	return (await readBytes(file)).toString('utf8');
}

export async function readBytes(file: string) {
	try {
		return await readFile(file);
	} catch (cause) {
		const code = 'file_unreadable';
		throw new CliError(`The file ${file} cannot be read: ${reasonOf(cause)}`, { code, cause });
	}
}

export function readJson(content: string, source: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		// The message of the parser would quote the text, which may contain a secret.
		throw new CliError(`${source} is not valid JSON`, { code: 'invalid_json' });
	}
}

function chunksOf({ stdin, signal }: Io): AsyncIterable<string> {
	return (signal ? addAbortSignal(signal, stdin) : stdin).setEncoding('utf8');
}

export async function readInput(io: Io) {
	return await text(chunksOf(io));
}

/** Returns the line that the user types. */
export async function ask(question: string, io: Io) {
	io.stderr.write(printable(question));
	let line = '';
	for await (const chunk of chunksOf(io)) {
		line += chunk;
		if (line.includes('\n')) break;
	}
	return line.split('\n', 1).join('').trim();
}

/** Does not show what is typed. */
export async function askSecret(question: string, io: Io) {
	if (!io.stdin.setRawMode) return ask(question, io);
	io.stderr.write(printable(question));
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const prompt = createInterface({ input: io.stdin, output: silent, terminal: true });
	const interruption = new AbortController();
	prompt.once('SIGINT', () => interruption.abort());
	try {
		const signals = [interruption.signal, ...(io.signal ? [io.signal] : [])];
		return (await prompt.question('', { signal: AbortSignal.any(signals) })).trim();
	} catch (error) {
		if (!interruption.signal.aborted) throw error;
		throw new CliError('Interrupted', { code: 'interrupted', exitCode: exitCodes.interrupted });
	} finally {
		prompt.close();
		io.stderr.write('\n');
	}
}

/** Returns if the user agrees, with --yes or when asked; fails if there is no terminal to ask on. */
export async function confirm(
	doing: string,
	{ options, io }: { options: { yes?: true }; io: Io },
	question: () => Promise<string>,
) {
	if (options.yes) return;
	if (!io.stdin.isTTY || !io.stderr.isTTY) {
		throw new CliError(`${doing} needs --yes without a terminal`, { code: 'not_confirmed' });
	}
	if (/^y(es)?$/i.test(await ask(`${await question()} [y/N] `, io))) return;
	const exitCode = exitCodes.general;
	throw new CliError('Nothing was changed', { code: 'not_confirmed', exitCode });
}
