// Deletes expired rows every hour, and unneeded files every minute.
import { deleteOldDevices } from './accounts/sessions/devices.ts';
import { deleteOldSessions } from './accounts/sessions/sessions.ts';
import { deleteOldActivity } from './activity/store.ts';
import { deleteOldKeys } from './claims.ts';
import type { Core } from './core.ts';
import { timeIn } from './database/clock.ts';
import type { Db } from './database/schema.ts';
import type { Settings } from './env.ts';
import { every } from './every.ts';
import { deleteEndedKeys } from './keys/ended.ts';
import { deleteOldActions } from './leases/actions/store.ts';
import { deleteOldChannels } from './leases/channels/store.ts';
import { deleteOldConsoles } from './leases/console/store.ts';
import { deleteUnneededContents, deleteUnusedDownloads } from './leases/files/store.ts';
import { deleteOldPins } from './leases/pins/store.ts';
import { deleteOldCounts } from './limits/counts.ts';
import { deleteOldLinks } from './members/links.ts';
import { deleteOldFailures } from './operations/failures.ts';

const minute = 60 * 1000;
const hour = 60 * minute;

export function startHousekeeping({ database, log, settings }: Core) {
	const db = database.patient;
	const warn = (when: string) => (error: unknown) =>
		log.warn({ error }, `Housekeeping failed; retrying in ${when}`);
	const hourly = every(hour, () => deleteExpired(db, settings), warn('an hour'));
	const minutely = every(minute, () => deleteUnneededContents(db), warn('a minute'));
	return { close: () => Promise.all([hourly, minutely].map((timer) => timer.close())) };
}

export async function deleteExpired(db: Db, settings: Settings) {
	await deleteOldKeys(db).execute();
	await deleteOldSessions(db, settings.sessionIdleMinutes);
	await deleteEndedKeys(db);
	await deleteOldDevices(db);
	await deleteOldLinks(db);
	const yesterday = timeIn(db, -24 * hour);
	await deleteOldConsoles(db, yesterday);
	await deleteOldPins(db);
	await deleteOldChannels(db);
	await deleteOldActions(db, yesterday);
	await deleteUnusedDownloads(db);
	await deleteOldCounts(db);
	await deleteOldActivity(db, settings.activityDays);
	await deleteOldFailures(db, settings.activityDays);
}
