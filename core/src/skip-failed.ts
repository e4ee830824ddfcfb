// Work on many things, of which one that fails must not stop the others.
import type { Core } from './core.ts';
import { isDatabaseAway } from './database/database.ts';

/** Logs what failed, unless all the others would fail as well: without the database, or once the service stops. */
export function skipFailed({ log, stopping }: Core, what: object, message: string) {
	return (error: unknown) => {
		if (stopping.aborted || isDatabaseAway(error)) throw error;
		log.warn({ error, ...what }, message);
	};
}
