// Deletes expired rows once an hour, and deletes files and sums up use once a minute.
import {
	type Db,
	deleteEndedKeys,
	deleteOldActions,
	deleteOldActivity,
	deleteOldConsoles,
	deleteOldCounts,
	deleteOldDevices,
	deleteOldFailures,
	deleteOldFiles,
	deleteOldKeys,
	deleteOldLinks,
	deleteOldPins,
	deleteOldSessions,
	deleteUnneededContents,
	deleteUnusedDownloads,
	every,
	type Log,
	type Settings,
	sumUse,
	timeIn,
} from 'board-access-core';

const minute = 60 * 1000;
const hour = 60 * minute;

export function startHousekeeping(db: Db, { log, settings }: { log: Log; settings: Settings }) {
	const warn = (when: string) => (error: unknown) =>
		log.warn({ error }, `Housekeeping failed; retrying in ${when}`);
	const hourly = every(hour, () => deleteExpired(db, settings), warn('an hour'));
	const minutely = [deleteUnneededContents, sumUse].map((work) =>
		every(minute, () => work(db), warn('a minute')),
	);
	return { close: () => Promise.all([hourly, ...minutely].map((timer) => timer.close())) };
}

/** Deletes what has expired. */
export async function deleteExpired(db: Db, settings: Settings) {
	await deleteOldKeys(db).execute();
	await deleteOldSessions(db, settings.sessionIdleMinutes);
	await deleteEndedKeys(db);
	await deleteOldDevices(db);
	await deleteOldLinks(db);
	const yesterday = timeIn(db, -24 * hour);
	await deleteOldConsoles(db, yesterday);
	await deleteOldPins(db);
	await deleteOldFiles(db, yesterday);
	await deleteOldActions(db, yesterday);
	await deleteUnusedDownloads(db);
	await deleteOldCounts(db);
	await deleteOldActivity(db, settings.activityDays);
	await deleteOldFailures(db, settings.activityDays);
}
