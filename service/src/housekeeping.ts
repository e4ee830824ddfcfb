// Deletes expired rows once an hour.
import type { Kysely } from 'kysely';
import { forgetOldLinks } from './accounts/links.ts';
import { forgetOldSessions } from './accounts/store.ts';
import type { Schema } from './database/schema.ts';
import { forgetOldNotes } from './http/idempotency.ts';
import { forgetOldConsoles } from './leases/console.ts';
import { forgetOldFiles } from './leases/files.ts';
import type { Log } from './log.ts';

const hour = 60 * 60 * 1000;

export function startHousekeeping(db: Kysely<Schema>, log: Log) {
	const tidy = async () => {
		await forgetOldNotes(db);
		await forgetOldSessions(db);
		await forgetOldLinks(db);
		const yesterday = new Date(Date.now() - 24 * hour).toISOString();
		await forgetOldConsoles(db, yesterday);
		await forgetOldFiles(db, yesterday);
	};
	const timer = setInterval(
		() => tidy().catch((error) => log.warn({ error }, 'Housekeeping failed; retrying in an hour')),
		hour,
	).unref();
	return { close: () => clearInterval(timer) };
}
