// Reads what commands are given beside their arguments: files, standard input, an answer.
import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { CliError } from '../failures/cli-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Io } from './io.ts';
import { printable } from './style.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'it does not exist',
	EACCES: 'you may not read it',
	EISDIR: 'it is a directory',
};

/** What an error of the file system comes down to, by the words for its code. */
export function reasonOf(error: unknown, words = reasons) {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return words[code] ?? (code || 'unknown reason');
}

export async function readTextFile(file: string) {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new CliError(`The file ${file} cannot be read: ${reasonOf(error)}`, {
			code: 'file_unreadable',
			exitCode: exitCodes.usage,
			cause: error,
		});
	}
}

export function readJson(content: string, source: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		// The parser's own message quotes the text, which may hold a secret.
		throw new CliError(`${source} is not valid JSON`, {
			code: 'invalid_json',
			exitCode: exitCodes.usage,
		});
	}
}

function chunksOf({ stdin, signal }: Io): AsyncIterable<string> {
	return (signal ? addAbortSignal(signal, stdin) : stdin).setEncoding('utf8');
}

/** All of standard input. */
export async function readInput(io: Io) {
	let text = '';
	for await (const chunk of chunksOf(io)) text += chunk;
	return text;
}

/** Asks a person; gives the line that was typed, empty if there was none. */
export async function ask(question: string, io: Io) {
	io.stderr.write(printable(question));
	let line = '';
	for await (const chunk of chunksOf(io)) {
		line += chunk;
		if (line.includes('\n')) break;
	}
	return line.split('\n', 1).join('').trim();
}
