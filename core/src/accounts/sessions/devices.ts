// The browsers in which somebody logged in to an account, known by a cookie. Guesses from elsewhere do not lock them
// out, and the owner gets a mail about a log-in on a new one.
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { timeIn } from '../../database/clock.ts';
import type { Db } from '../../database/schema.ts';

/** Browsers keep no cookie longer. */
export const deviceDays = 400;

const devicesPerAccount = 50;

/** The device, if somebody logged in to this account on it. */
export async function knownDevice(db: Db, email: string, device: string | undefined) {
	if (!device) return undefined;
	const found = await db
		.selectFrom('known_devices')
		.innerJoin('accounts', 'accounts.id', 'account_id')
		.select('account_id')
		.where('email', '=', email.toLowerCase())
		.where('hash', '=', hash('sha256', device))
		.executeTakeFirst();
	return found && device;
}

/** Remembers the device of a log-in. An unknown cookie may have been planted, so it is replaced. */
export async function rememberDevice(db: Db, accountId: string, held = '') {
	const owners = await db
		.selectFrom('known_devices')
		.select('account_id')
		.where('hash', '=', hash('sha256', held))
		.execute();
	const device = owners.length > 0 ? held : randomBytes(24).toString('base64url');
	const row = { account_id: accountId, hash: hash('sha256', device), last_used_at: timeIn(db) };
	await db
		.insertInto('known_devices')
		.values(row)
		.onConflict((conflict) => conflict.columns(['account_id', 'hash']).doUpdateSet(row))
		.execute();
	await sql`delete from known_devices where account_id = ${accountId} and hash not in (
		select hash from known_devices where account_id = ${accountId}
		order by last_used_at desc, hash limit ${devicesPerAccount})`.execute(db);
	return { device, isNew: !owners.some(({ account_id }) => account_id === accountId) };
}

/** Deletes the devices of an account, all or all but one. */
export async function deleteDevices(db: Db, accountId: string, except = '') {
	await db
		.deleteFrom('known_devices')
		.where('account_id', '=', accountId)
		.where('hash', '<>', hash('sha256', except))
		.execute();
}

export function deleteOldDevices(db: Db) {
	const since = timeIn(db, -deviceDays * 24 * 60 * 60 * 1000);
	return db.deleteFrom('known_devices').where('last_used_at', '<', since).execute();
}
