// The errors of the agent, and their text.
import { stripVTControlCharacters } from 'node:util';
import type { boardFailures } from 'board-access-contract';

/** The agent failed, not the board: its disk is full, for example. */
export class AgentError extends Error {
	override readonly name = 'AgentError';
}

/** A failure of the board whose kind is known. */
export class BoardError extends Error {
	override readonly name = 'BoardError';
	readonly failure: (typeof boardFailures)[number];

	constructor(failure: BoardError['failure'], message: string, options?: ErrorOptions) {
		super(message, options);
		this.failure = failure;
	}
}

/** What has failed, as the agent reports it. */
export function causeOf(error: unknown) {
	if (error instanceof AgentError) return 'agent';
	return error instanceof BoardError ? error.failure : 'board';
}

/** Any failure of this work is one of the agent, not of the board. */
export async function asAgent<Result>(
	failure: string,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (cause) {
		throw new AgentError(failure, { cause });
	}
}

const maxCharacters = 3_900;

/** The end of the text, without control characters. Of a progress bar, the last state stays, as on a terminal. */
export function printable(text: string): string {
	const lines = stripVTControlCharacters(text)
		.split('\n')
		.map((line) => line.split('\r').findLast((state) => state.trim()) ?? '')
		.join('\n')
		.replaceAll(/[^\P{Cc}\n\t]/gu, '')
		.replaceAll(/\n{2,}/g, '\n')
		.trim();
	return lines.length > maxCharacters ? `…${lines.slice(-maxCharacters)}` : lines;
}

/** The message of an error and of its cause. */
export function messageOf(error: unknown): string {
	if (!(error instanceof Error)) return printable(String(error));
	const { message, cause } = error;
	const why = cause instanceof Error ? cause.message : '';
	// Messages of serialport begin with "Error: ".
	return printable(message.includes(why) ? message : `${message}: ${why}`).replace(/^Error: /, '');
}
