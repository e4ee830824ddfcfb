// Two-factor authentication: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for
// users who lost it. Each code works once.
import { createHash, randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import type { Kysely } from 'kysely';
import { record } from '../activity/record.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { now } from '../database/time.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import { invalid } from '../validation.ts';
import { seal, unseal } from './seal.ts';
import { serviceSecret } from './service-secret.ts';
import { deleteSessions } from './sessions/sessions.ts';

const stepSeconds = 30;
const setupMinutes = 60;
const recoveryCodes = 10;

const unreadable =
	'The secret of an authenticator app cannot be decrypted: TWO_FACTOR_KEY is not the key that it was encrypted with';

/** A secret that an authenticator app is to be set up with. */
export interface Setup {
	/** As people type it. */
	secret: string;
	/** As a QR code holds it. */
	url: string;
}

/** The account that sets it up, and the session in which it does. */
export interface Holder {
	id: string;
	sessionId: string;
}

export function createTwoFactor(
	{ query }: Database,
	{ twoFactorKey, webUrl }: Pick<Settings, 'twoFactorKey' | 'webUrl'>,
	log?: Log,
) {
	const key = async () => twoFactorKey ?? (await serviceSecret(query, 'two-factor'));

	/**
	 * The secret of an account; null if it was encrypted with another key, or for another session. Until
	 * it is in use, it belongs to the session that was shown it.
	 */
	const secretOf = async (accountId: string, sessionId?: string) => {
		const row = await query
			.selectFrom('two_factor')
			.select('secret')
			.where('account_id', '=', accountId)
			.executeTakeFirst();
		return row && open(await key(), holderOf(accountId, sessionId), row.secret);
	};

	/** Accepts a code of the app, of this half-minute or of its neighbors, unless it is used up. */
	const takeCode = async (accountId: string, secret: string, code: string) => {
		const step = await stepOf(secret, code);
		if (!step) return false;
		// Of two requests with the same code, one changes the row.
		const { numUpdatedRows } = await query
			.updateTable('two_factor')
			.set({ last_step: step })
			.where('account_id', '=', accountId)
			.where('last_step', '<', step)
			.executeTakeFirstOrThrow();
		return numUpdatedRows > 0n;
	};

	return {
		/** The secret to set an app up with: the same for an hour, so that the page can be reloaded. */
		async setup({ id, email, sessionId }: Holder & { email: string }): Promise<Setup> {
			const since = new Date(Date.now() - setupMinutes * 60_000).toISOString();
			const shown = await secretOf(id, sessionId);
			await query
				.deleteFrom('two_factor')
				.where('account_id', '=', id)
				.$if(Boolean(shown), (rows) => rows.where('created_at', '<', since))
				.where(({ not, exists }) => not(exists(enabledAccount(query, id))))
				.execute();
			const fresh = seal(
				await key(),
				holderOf(id, sessionId),
				randomBytes(16).toString('base64url'),
			);
			await query
				.insertInto('two_factor')
				.values({ account_id: id, secret: fresh, last_step: 0, created_at: now() })
				.onConflict((conflict) => conflict.column('account_id').doNothing())
				.execute();
			const secret = await secretOf(id, sessionId);
			if (!secret) throw new ApiError('invalid_request', 'Another session sets it up. Try again.');
			return {
				secret: base32.encode(secret, { padding: false }),
				url: createOTP(secret).url(`Board Access ${new URL(webUrl).hostname}`, email),
			};
		},

		/**
		 * Turns it on with the first code of the app, ends the other sessions of the account, and returns
		 * the recovery codes. Returns nothing if the code is incorrect.
		 */
		async enable({ id, sessionId }: Holder, code: string) {
			const secret = await secretOf(id, sessionId);
			if (!secret || !(await takeCode(id, secret, plainCode(code)))) return undefined;
			const sealed = seal(await key(), holderOf(id), secret);
			return query.transaction().execute(async (transaction) => {
				await transaction
					.updateTable('two_factor')
					.set({ secret: sealed })
					.where('account_id', '=', id)
					.execute();
				await transaction
					.updateTable('accounts')
					.set({ two_factor_at: now(), updated_at: now() })
					.where('id', '=', id)
					.execute();
				await deleteSessions(transaction, id, sessionId);
				await record(transaction, { kind: 'two_factor.enabled', accountId: id });
				return replaceRecoveryCodes(transaction, id);
			});
		},

		/** Accepts a code of the app or a recovery code, and uses it up. */
		async accept(accountId: string, given: string) {
			const code = plainCode(given);
			if (/^\d{6}$/.test(code)) {
				const secret = await secretOf(accountId);
				if (secret === null) {
					log?.error({ account: accountId }, unreadable);
					throw invalid([{ path: 'code', message: 'cannot be checked' }]);
				}
				return secret !== undefined && takeCode(accountId, secret, code);
			}
			const { numDeletedRows } = await query
				.deleteFrom('recovery_codes')
				.where('account_id', '=', accountId)
				.where('hash', '=', hashOf(code))
				.executeTakeFirstOrThrow();
			return numDeletedRows > 0n;
		},

		/** Creates new recovery codes; the previous ones no longer work. */
		renewRecoveryCodes: (accountId: string) =>
			query.transaction().execute(async (transaction) => {
				await record(transaction, { kind: 'two_factor.codes_replaced', accountId });
				return replaceRecoveryCodes(transaction, accountId);
			}),

		async countRecoveryCodes(accountId: string) {
			const { codes } = await query
				.selectFrom('recovery_codes')
				.select(({ fn }) => fn.countAll().as('codes'))
				.where('account_id', '=', accountId)
				.executeTakeFirstOrThrow();
			return Number(codes);
		},
	};
}

/** Turns two-factor authentication off, and returns whether it was on. */
export function disableTwoFactor(db: Kysely<Schema>, accountId: string) {
	return db.transaction().execute(async (transaction) => {
		await forgetTwoFactor(transaction, accountId);
		const { numUpdatedRows } = await transaction
			.updateTable('accounts')
			.set({ two_factor_at: null, updated_at: now() })
			.where('id', '=', accountId)
			.where('two_factor_at', 'is not', null)
			.executeTakeFirstOrThrow();
		if (numUpdatedRows === 0n) return false;
		await record(transaction, { kind: 'two_factor.disabled', accountId });
		return true;
	});
}

/** Deletes the secret and the recovery codes of an account. */
export async function forgetTwoFactor(transaction: Kysely<Schema>, accountId: string) {
	await transaction.deleteFrom('two_factor').where('account_id', '=', accountId).execute();
	await transaction.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
}

function holderOf(accountId: string, sessionId?: string) {
	return sessionId ? `${accountId} ${sessionId}` : accountId;
}

function open(key: string, holder: string, sealed: string) {
	try {
		return unseal(key, holder, sealed);
	} catch {
		return null;
	}
}

function enabledAccount(db: Kysely<Schema>, id: string) {
	return db
		.selectFrom('accounts')
		.select('id')
		.where('id', '=', id)
		.where('two_factor_at', 'is not', null);
}

/** The time step that a code belongs to; the clock of a phone may be half a minute off. */
async function stepOf(secret: string, code: string) {
	const present = Math.floor(Date.now() / 1000 / stepSeconds);
	for (const step of [present, present - 1, present + 1]) {
		if ((await createOTP(secret).hotp(step)) === code) return step;
	}
	return undefined;
}

async function replaceRecoveryCodes(transaction: Kysely<Schema>, accountId: string) {
	await transaction.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
	const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
	await transaction
		.insertInto('recovery_codes')
		.values(codes.map((code) => ({ account_id: accountId, hash: hashOf(plainCode(code)) })))
		.execute();
	return codes;
}

/** 80 random bits, in groups that people can copy by hand. */
function newRecoveryCode() {
	const text = base32.encode(randomBytes(10), { padding: false }).toLowerCase();
	return text.replace(/(.{4})(?!$)/g, '$1-');
}

function plainCode(given: string) {
	return given.toLowerCase().replace(/[\s-]/g, '');
}

function hashOf(code: string) {
	return createHash('sha256').update(code).digest('hex');
}
