// What the commands and queries of the core work with.
import type { Database } from './database/database.ts';
import type { Wake } from './database/wake.ts';
import type { Settings } from './env.ts';
import type { Log } from './log.ts';

export interface Core {
	settings: Settings;
	database: Database;
	wake: Wake;
	log: Log;
	/** Aborted once the service has begun to stop. */
	stopping: AbortSignal;
}
