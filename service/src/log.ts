// One JSON line a request, and one for each fault of ours. Secrets are cut out of every text.
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
