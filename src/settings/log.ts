// Writes a line for each attempt, for people who look for what their program sends.
import type { Attempt } from '../errors/details.ts';
import type { Observer } from '../http/attempts.ts';

/** The levels of the log, the most verbose first. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** The least severe lines that are logged. @useDeclaredType */
export type LogLevel = (typeof logLevels)[number];

/** Takes a message and its details, as `console` does. */
export type LogMethod = (message: string, details: Attempt) => void;

/** Where the log goes: `console`, or anything with the same four methods. */
export interface Logger {
	/** Receives every attempt that succeeded. */
	debug: LogMethod;
	/** Receives nothing today. */
	info: LogMethod;
	/** Receives every attempt that failed and is retried. */
	warn: LogMethod;
	/** Receives every request that failed. */
	error: LogMethod;
}

export function createLog(logger: Logger, least: LogLevel): Observer | undefined {
	if (least === 'off') return undefined;
	return (attempt) => {
		const level = levelOf(attempt);
		if (logLevels.indexOf(level) < logLevels.indexOf(least)) return undefined;
		return logger[level](lineOf(attempt), attempt);
	};
}

function levelOf({ error, retryInMs }: Attempt) {
	if (error === undefined) return 'debug';
	return retryInMs === undefined ? 'error' : 'warn';
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
