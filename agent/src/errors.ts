// Errors of the agent, and the text of tools and boards in messages and log lines.
import { stripVTControlCharacters } from 'node:util';
import type { boardFailures } from 'board-access-contract';

/** The agent itself has failed, not the board: its disk is full, say, or a download failed. */
export class AgentError extends Error {
	override readonly name = 'AgentError';
}

/** A failure of the board of which the agent knows the kind. */
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

/** What fails in this work is no failure of the board. */
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

/** The end of the text, without control characters. Progress bars that overwrite themselves become lines. */
export function printable(text: string): string {
	const lines = stripVTControlCharacters(text)
		.replaceAll('\r', '\n')
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
	// The port libraries begin their messages with the name of the error.
	return printable(message.includes(why) ? message : `${message}: ${why}`).replace(/^Error: /, '');
}
