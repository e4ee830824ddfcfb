// When one of many things fails, the others go on.
import type { Core } from './core.ts';
import { isDatabaseAway } from './database/database.ts';

/** Logs what failed. */
export function skipFailed(core: Core, what: object, message: string) {
	return (error: unknown) => {
		throwForAll(core, error);
		core.log.warn({ error, ...what }, message);
	};
}

/** Throws if all the others would fail as well: without the database, or once the service stops. */
export function throwForAll({ stopping }: Core, error: unknown) {
	if (stopping.aborted || isDatabaseAway(error)) throw error;
}
