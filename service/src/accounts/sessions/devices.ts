// The devices from which somebody logged in to an account: browsers with a cookie of ours. Guesses
// from elsewhere do not lock them out, and the owner can be notified of a log-in from another device.
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { now } from '../../database/time.ts';

const day = 24 * 60 * 60 * 1000;

/** Browsers keep no cookie longer. */
export const deviceDays = 400;

const devicesPerAccount = 50;

/** Whether somebody logged in to the account with this address from the device. */
export async function isKnownDevice(db: Kysely<Schema>, email: string, device: string | undefined) {
	if (!device) return false;
	const found = await db
		.selectFrom('known_devices')
		.innerJoin('accounts', 'accounts.id', 'account_id')
		.select('account_id')
		.where('email', '=', email.toLowerCase())
		.where('hash', '=', hashOf(device))
		.executeTakeFirst();
	return found !== undefined;
}

/**
 * Remembers the device of a log-in, and says whether the account is new to it. A cookie that no log-in
 * was remembered for may have been planted, so it is replaced.
 */
export async function rememberDevice(
	db: Kysely<Schema>,
	accountId: string,
	held: string | undefined,
) {
	const owners = held ? await ownersOf(db, held) : [];
	const device = held && owners.length > 0 ? held : randomBytes(24).toString('base64url');
	const row = { account_id: accountId, hash: hashOf(device), last_used_at: now() };
	await db
		.insertInto('known_devices')
		.values(row)
		.onConflict((conflict) =>
			conflict.columns(['account_id', 'hash']).doUpdateSet({ last_used_at: row.last_used_at }),
		)
		.execute();
	await forgetSurplus(db, accountId);
	return { device, isNew: !owners.includes(accountId) };
}

/** Forgets the devices of an account, all or all but one. */
export async function forgetDevices(db: Kysely<Schema>, accountId: string, except?: string) {
	await db
		.deleteFrom('known_devices')
		.where('account_id', '=', accountId)
		.where('hash', '<>', except ? hashOf(except) : '')
		.execute();
}

/** Deletes the devices whose cookies have run out. */
export function forgetOldDevices(db: Kysely<Schema>) {
	const since = new Date(Date.now() - deviceDays * day).toISOString();
	return db.deleteFrom('known_devices').where('last_used_at', '<', since).execute();
}

async function ownersOf(db: Kysely<Schema>, device: string) {
	const rows = await db
		.selectFrom('known_devices')
		.select('account_id')
		.where('hash', '=', hashOf(device))
		.execute();
	return rows.map(({ account_id }) => account_id);
}

/** The device that was used longest ago leaves for the next. */
async function forgetSurplus(db: Kysely<Schema>, accountId: string) {
	const kept = db
		.selectFrom('known_devices')
		.select('hash')
		.where('account_id', '=', accountId)
		.orderBy('last_used_at', 'desc')
		.orderBy('hash')
		.limit(devicesPerAccount);
	await db
		.deleteFrom('known_devices')
		.where('account_id', '=', accountId)
		.where('hash', 'not in', kept)
		.execute();
}

function hashOf(device: string) {
	return createHash('sha256').update(device).digest('hex');
}
