// Logs each attempt.
import type { Attempt } from '../errors/details.ts';
import type { Observer } from '../http/attempts.ts';

/** The levels of the log, the most verbose first. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** The least severe lines that are logged. @useDeclaredType */
export type LogLevel = (typeof logLevels)[number];

/** Takes the fields of an attempt and a message that has all of them, as pino does. */
export type LogMethod = (fields: Attempt, message: string) => void;

/**
 * Where the log goes: pino, winston, `console`, or anything with these four methods. A logger that also
 * has a method `log`, as winston and `console` have, gets the message first, and the fields after it.
 */
export interface Logger {
	/** Receives every attempt that succeeded. */
	debug: LogMethod;
	/** Receives every request that the service rejected, such as one for a board that does not exist. */
	info: LogMethod;
	/** Receives every attempt that failed and is retried. */
	warn: LogMethod;
	/** Receives every request that failed for another reason. */
	error: LogMethod;
}

export function createLog(logger: Logger, min: LogLevel): Observer | undefined {
	if (min === 'off') return undefined;
	return (attempt) => {
		const level = levelOf(attempt);
		if (logLevels.indexOf(level) < logLevels.indexOf(min)) return undefined;
		const message = lineOf(attempt);
		return isMessageFirst(logger)
			? logger[level](message, attempt)
			: logger[level](attempt, message);
	};
}

function isMessageFirst(logger: Logger | MessageFirst): logger is MessageFirst {
	return 'log' in logger;
}

type MessageFirst = Record<keyof Logger, (message: string, fields: Attempt) => void>;

function levelOf({ error, status = 0, retryInMs }: Attempt) {
	if (error === undefined) return 'debug';
	if (retryInMs !== undefined) return 'warn';
	// A program may expect a rejection, and catch it.
	const isRejection = status >= 400 && status < 500 && status !== 408 && status !== 429;
	return isRejection ? 'info' : 'error';
}

function lineOf({ method, path, attempt, status, requestId, ...rest }: Attempt) {
	const { durationMs, error, retryInMs } = rest;
	const parts = [
		`${method} ${path} attempt ${attempt}:`,
		status || 'no response',
		error,
		`after ${Math.round(durationMs)} ms`,
		requestId && `(request ${requestId})`,
		retryInMs !== undefined && `retry in ${Math.round(retryInMs)} ms`,
	];
	return parts.filter(Boolean).join(' ');
}
