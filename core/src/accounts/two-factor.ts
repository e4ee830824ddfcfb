// Two-factor authentication: codes of an authenticator app (TOTP, RFC 6238) and recovery codes. Each code works once.
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { clockOf, timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { invalid } from '../validation.ts';
import { alertOwner, twoFactorAlert } from './mail/messages.ts';
import { seal, serviceSecret, unseal } from './seal.ts';
import { deleteSessions, type Member } from './sessions/sessions.ts';
import { updateAccountIf, verifiedAddress } from './store.ts';

const setupMinutes = 60;
const recoveryCodes = 10;

const unreadable =
	'The secret of an authenticator app cannot be decrypted: TWO_FACTOR_KEY is not the key that it was encrypted with';

type Holder = Pick<Member, 'id' | 'sessionId'>;

/** The secret for an app, as text and for a QR code. It stays the same for an hour, so that the page can be reloaded. */
export async function setUpTwoFactor(
	core: Core,
	{ id, email, sessionId }: Holder & { email: string },
) {
	const { query } = core.database;
	await requireVerified(core, id);
	const holder = holderOf(id, sessionId);
	const since = timeIn(query, -setupMinutes * 60_000);
	const shown = await secretOf(core, id, holder);
	const fresh = seal(await keyOf(core), holder, randomBytes(16).toString('base64url'));
	const enabled = query.selectFrom('accounts').select('id').where('two_factor_at', 'is not', null);
	await query
		.deleteFrom('two_factor')
		.where('account_id', '=', id)
		.$if(Boolean(shown), (rows) => rows.where('created_at', '<', since))
		.where('account_id', 'not in', enabled)
		.execute();
	await query
		.insertInto('two_factor')
		.values({ account_id: id, secret: fresh, last_step: 0, created_at: timeIn(query) })
		.onConflict((conflict) => conflict.column('account_id').doNothing())
		.execute();
	const text = await secretOf(core, id, holder);
	if (!text)
		throw new ApiError(
			'invalid_request',
			'Two-factor authentication is being set up in another session. Try again later.',
		);
	const { Secret, TOTP } = await loadOtpauth();
	const secret = Secret.fromUTF8(text);
	const issuer = `Board Access ${new URL(core.settings.webUrl).hostname}`;
	return { secret: secret.base32, url: new TOTP({ secret, issuer, label: email }).toString() };
}

/** Turns two-factor authentication on if the code is correct, ends other sessions, and returns recovery codes. */
export async function enableTwoFactor(core: Core, { id, sessionId }: Holder, code: string) {
	const { query } = core.database;
	const secret = await secretOf(core, id, holderOf(id, sessionId));
	if (!secret || !(await takeCode(query, { id, secret }, plainCode(code)))) return undefined;
	const sealed = seal(await keyOf(core), holderOf(id), secret);
	return inTransaction(query, async (transaction) => {
		const { numUpdatedRows } = await transaction
			.updateTable('two_factor')
			.set({ secret: sealed })
			.where('account_id', '=', id)
			.executeTakeFirstOrThrow();
		// The account was taken over in the meantime.
		if (numUpdatedRows === 0n) return undefined;
		await transaction
			.updateTable('accounts')
			.set({ two_factor_at: timeIn(transaction) })
			.where('id', '=', id)
			.execute();
		await deleteSessions(transaction, id, sessionId);
		await record(transaction, { kind: 'two_factor.enabled', accountId: id });
		return writeRecoveryCodes(transaction, id);
	});
}

/** Accepts a code of the app or a recovery code, and uses it up. */
export async function acceptCode(core: Core, id: string, given: string) {
	const { query } = core.database;
	const code = plainCode(given);
	if (/^\d{6}$/.test(code)) {
		const secret = await secretOf(core, id, holderOf(id));
		if (secret === null) {
			core.log.error({ account: id }, unreadable);
			throw invalid([{ path: 'code', message: 'cannot be checked' }]);
		}
		return secret !== undefined && takeCode(query, { id, secret }, code);
	}
	const { numDeletedRows } = await query
		.deleteFrom('recovery_codes')
		.where('account_id', '=', id)
		.where('hash', '=', hash('sha256', code))
		.executeTakeFirstOrThrow();
	return numDeletedRows > 0n;
}

export function codeRejected() {
	return invalid([{ path: 'code', message: 'is incorrect or was already used' }]);
}

export async function replaceRecoveryCodes(core: Core, accountId: string) {
	const codes = await inTransaction(core.database.query, async (transaction) => {
		await record(transaction, { kind: 'two_factor.codes_replaced', accountId });
		return writeRecoveryCodes(transaction, accountId);
	});
	alertOwner(core, accountId, twoFactorAlert('Your recovery codes were replaced'));
	return codes;
}

export async function countRecoveryCodes({ database }: Core, accountId: string) {
	const codes = database.query.selectFrom('recovery_codes').where('account_id', '=', accountId);
	return (await codes.select('hash').execute()).length;
}

/** Turns two-factor authentication off, for its owner or, without a session, for an administrator. */
export async function turnOffTwoFactor(core: Core, accountId: string, ownSessionId?: string) {
	if (!(await disableTwoFactor(core.database.query, accountId, ownSessionId))) return;
	const alert = twoFactorAlert('Two-factor authentication was turned off');
	alertOwner(core, accountId, { ...alert, byAdministrator: !ownSessionId });
}

/** Turns two-factor authentication off, ends the other sessions, and returns whether it was on. */
export function disableTwoFactor(db: Db, accountId: string, ownSessionId?: string) {
	return inTransaction(db, async (transaction) => {
		await transaction.deleteFrom('two_factor').where('account_id', '=', accountId).execute();
		await transaction.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
		const isOn = sql<boolean>`two_factor_at is not null`;
		if (!(await updateAccountIf(transaction, accountId, { two_factor_at: null }, isOn)))
			return false;
		await deleteSessions(transaction, accountId, ownSessionId);
		await record(transaction, { kind: 'two_factor.disabled', accountId });
		return true;
	});
}

/** Otherwise, somebody could sign up with the address of another person and lock them out. */
export async function requireVerified({ database }: Core, accountId: string) {
	if (await verifiedAddress(database.query, accountId)) return;
	const message = 'Two-factor authentication needs a verified email address.';
	throw new ApiError('invalid_request', message, {
		hint: 'The account page says how to verify it.',
	});
}

/** Until a secret is in use, it belongs to the session that has displayed it. */
function holderOf(accountId: string, sessionId?: string) {
	return sessionId ? `${accountId} ${sessionId}` : accountId;
}

type Stored = Pick<Core, 'settings' | 'database'>;

async function keyOf({ settings: { twoFactorKey }, database: { query } }: Stored) {
	return twoFactorKey ?? (await serviceSecret(query, 'two-factor'));
}

/** Returns null if the secret was encrypted with another key, or for another session. */
async function secretOf(core: Stored, accountId: string, holder: string) {
	const row = await core.database.query
		.selectFrom('two_factor')
		.select('secret')
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	const key = await keyOf(core);
	try {
		return row && unseal(key, holder, row.secret);
	} catch {
		return null;
	}
}

/** How many accounts have an app whose secret the present key does not decrypt. */
export async function countUnreadable(core: Stored) {
	const enabled = core.database.query.selectFrom('accounts').where('two_factor_at', 'is not', null);
	const accounts = await enabled.select('id').execute();
	const secrets = await Promise.all(accounts.map(({ id }) => secretOf(core, id, holderOf(id))));
	return secrets.filter((secret) => secret === null).length;
}

/** Accepts a code of the app for this half-minute, or the one before or after, once. */
async function takeCode(db: Db, { id, secret }: { id: string; secret: string }, token: string) {
	if (!/^\d{6}$/.test(token)) return false;
	const { Secret, TOTP } = await loadOtpauth();
	const app = new TOTP({ secret: Secret.fromUTF8(secret) });
	// The phone of the user has the wall clock's time.
	const timestamp = clockOf(db).wall();
	const delta = app.validate({ token, timestamp, window: 1 });
	if (delta === null) return false;
	const step = app.counter({ timestamp }) + delta;
	// Of two requests with the same code, one changes the row.
	const { numUpdatedRows } = await db
		.updateTable('two_factor')
		.set({ last_step: step })
		.where('account_id', '=', id)
		.where('last_step', '<', step)
		.executeTakeFirstOrThrow();
	return numUpdatedRows > 0n;
}

async function writeRecoveryCodes(transaction: Db, account_id: string) {
	await transaction.deleteFrom('recovery_codes').where('account_id', '=', account_id).execute();
	const { Secret } = await loadOtpauth();
	// 128 random bits, in groups that people can copy by hand.
	const newCode = () =>
		new Secret({ size: 16 }).base32.replace(/(.{4})(?!$)/g, '$1-').toLowerCase();
	const codes = Array.from({ length: recoveryCodes }, newCode);
	const rows = codes.map((code) => ({ account_id, hash: hash('sha256', plainCode(code)) }));
	await transaction.insertInto('recovery_codes').values(rows).execute();
	return codes;
}

// Loaded when the first code is made or checked, not at start.
const loadOtpauth = () => import('otpauth');

function plainCode(given: string) {
	return given.toLowerCase().replace(/[\s-]/g, '');
}
