// Deletes expired rows every hour, and unneeded files every minute.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { deleteOldDevices } from './accounts/sessions/devices.ts';
import { deleteOldSessions } from './accounts/sessions/sessions.ts';
import { deleteOldActivity } from './activity/store.ts';
import { deleteOldKeys } from './claims.ts';
import type { Core } from './core.ts';
import { timeIn } from './database/clock.ts';
import type { Db } from './database/schema.ts';
import { inTransaction } from './database/transactions.ts';
import type { Settings } from './env.ts';
import { every } from './every.ts';
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
	let due = 0;
	// The first time a minute after the start: on a laptop, a service may never run for an hour.
	const work = async () => {
		await deleteUnneededContents(db);
		if (performance.now() < due) return;
		await deleteExpired(db, settings);
		due = performance.now() + hour;
	};
	const warn = (error: unknown) => log.warn({ error }, 'Housekeeping failed; retrying in a minute');
	return every(minute, work, warn);
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

const batch = 500;
const keptDays = 90;

/**
 * Keeps a key while one that it created is left, because both can be revoked together. Begins with the youngest, which
 * were created by older ones.
 */
export async function deleteEndedKeys(db: Db) {
	const ended = timeIn(db, -keptDays * 24 * 60 * 60 * 1000);
	for (let before = sql`${ended}, ''`; ; ) {
		const keys = await inTransaction(db, (db) => deleteSome(db, ended, before));
		const last = keys.at(-1);
		if (keys.length < batch || !last) return;
		before = sql`${last.created_at}, ${last.id}`;
		// Queries on SQLite do not yield to the event loop.
		await nextTurn();
	}
}

async function deleteSome(db: Db, ended: string, before: RawBuilder<unknown>) {
	// The first condition lets the partial index be used.
	const { rows } = await sql<{ id: string; created_at: string }>`select id, created_at from api_keys
		where (revoked_at is not null or expires_at is not null)
		and (revoked_at < ${ended} or expires_at < ${ended}) and (created_at, id) < (${before})
		order by created_at desc, id desc limit ${batch}`.execute(db);
	for (const { id } of rows) {
		await sql`delete from api_keys where id = ${id}
			and not exists (select 1 from api_keys as other where other.created_by = ${id})`.execute(db);
	}
	return rows;
}
