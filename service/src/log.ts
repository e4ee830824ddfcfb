// One JSON line for each request and for each internal error, with secrets redacted.
import { redact } from 'board-access-contract';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Logs to standard output, or to the stream that is given. */
export function createLog(level: string, destination?: DestinationStream): Log {
	return pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			serializers: { error: describeError },
		},
		destination ?? pino.destination({ sync: false }),
	);
}

function describeError(error: unknown) {
	return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
