// Reads what commands are given beside their arguments: files, standard input, an answer.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'it does not exist',
	EACCES: 'you may not read it',
	EISDIR: 'it is a directory',
};

/** What an error of the file system comes down to. */
export const reasonOf = (error: unknown) => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return reasons[code] ?? (code || 'unknown reason');
};

export const readTextFile = async (file: string) => {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new CliError(`The file ${file} cannot be read: ${reasonOf(error)}`, {
			code: 'file_unreadable',
			exitCode: exitCodes.usage,
			cause: error,
		});
	}
};

export const readJson = (content: string, source: string): unknown => {
	try {
		return JSON.parse(content);
	} catch {
		// The parser's own message quotes the text, which may hold a secret.
		throw new CliError(`${source} is not valid JSON`, {
			code: 'invalid_json',
			exitCode: exitCodes.usage,
		});
	}
};

const interruptible = ({ stdin, signal }: Io) => (signal ? addAbortSignal(signal, stdin) : stdin);

/** All of standard input. */
export const readInput = async (io: Io) => text(interruptible(io));

/** Asks a person; gives the line that was typed, empty if there was none. */
export const ask = async (question: string, io: Io) => {
	io.stderr.write(question);
	for await (const line of createInterface({ input: interruptible(io) })) return line.trim();
	io.signal?.throwIfAborted();
	return '';
};
