// Deletes, once an hour, what has run out.
import type { Kysely } from 'kysely';
import { forgetOldSessions } from './accounts/store.ts';
import type { Schema } from './database/schema.ts';
import { forgetOldNotes } from './http/idempotency.ts';
import type { Log } from './log.ts';

const hour = 60 * 60 * 1000;

export function startHousekeeping(db: Kysely<Schema>, log: Log) {
	const tidy = async () => {
		await forgetOldNotes(db);
		await forgetOldSessions(db);
	};
	const timer = setInterval(
		() =>
			tidy().catch((error) =>
				log.warn({ error }, 'Housekeeping failed; the next hour tries again'),
			),
		hour,
	).unref();
	return { close: () => clearInterval(timer) };
}
