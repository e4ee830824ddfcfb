// Who sends a request: their tokens, and the passwords and codes with which they prove it.
import type { Credentials } from '../accounts/credentials.ts';
import { alertOwner, twoFactorAlert } from '../accounts/mail/messages.ts';
import { accountByPassword } from '../accounts/password-hash.ts';
import { deviceDays, knownDevice } from '../accounts/sessions/devices.ts';
import { confirmationRequired, type Member, rotateSession } from '../accounts/sessions/sessions.ts';
import { findAccount } from '../accounts/store.ts';
import { acceptCode, codeRejected, enableTwoFactor } from '../accounts/two-factor.ts';
import { asActor, currentActor, nameAccount } from '../activity/actor.ts';
import { recordRepeat } from '../activity/record.ts';
import type { Core } from '../core.ts';
import type { Db } from '../database/schema.ts';
import type { Settings } from '../env.ts';
import { linkMinutes } from './links.ts';

/** The tokens of a browser. A command returns those that change; an empty one deletes a token. */
export interface Tokens {
	session?: string | undefined;
	/** Identifies a known device. */
	device?: string | undefined;
	/** Shows that the password was right, until the code is entered. */
	logIn?: string | undefined;
}

export interface Visitor {
	address: string;
	userAgent: string;
	tokens: Tokens;
}

/** Accepts a code or, without two-factor authentication, the password. */
export async function confirmMember(core: Core, visitor: Visitor, member: Member, proof: string) {
	const { email, twoFactor } = member;
	const isRight = twoFactor
		? await checkCode(core, visitor, member, proof)
		: await checkPassword(core, visitor, { email, password: proof });
	if (!isRight) {
		const message = twoFactor
			? 'The code is incorrect or was already used. Wait for the next one.'
			: 'The password is incorrect.';
		throw confirmationRequired(message);
	}
	return { session: await rotateSession(core, member.sessionId, visitor.tokens.session) };
}

/** Turns two-factor authentication on with the first code, and returns the recovery codes. */
export async function turnOnTwoFactor(core: Core, visitor: Visitor, member: Member, code: string) {
	const attempt = { address: visitor.address, email: member.email };
	const codes = await core.attempts.code(attempt, () => enableTwoFactor(core, member, code));
	if (!codes) throw codeRejected();
	alertOwner(core, member.id, twoFactorAlert('Two-factor authentication was turned on'));
	const session = await rotateSession(core, member.sessionId, visitor.tokens.session);
	return { codes, tokens: { session } };
}

/** Returns the account with this password. Counts the attempt. */
export async function checkPassword(core: Core, visitor: Visitor, credentials: Credentials) {
	const { attempts } = core;
	const { query } = core.database;
	const attempt = await attemptOf(core, visitor, credentials.email);
	await attempts.password(attempt);
	const hashing = attempt.device ? attempts.hashingForKnown : attempts.hashingForUnknown;
	const account = await hashing(() => accountByPassword(query, credentials));
	if (account) attempts.forgivePassword(attempt);
	else await recordRejection(query, (await findAccount(query, credentials.email))?.id ?? null);
	return account;
}

export async function attemptOf(core: Core, { address, tokens }: Visitor, email: string) {
	const device = await knownDevice(core.database.query, email, tokens.device);
	return { address, email, device };
}

async function checkCode(core: Core, visitor: Visitor, { id, email }: Member, code: string) {
	const attempt = await attemptOf(core, visitor, email);
	const isRight = await core.attempts.code(attempt, () => acceptCode(core, id, code));
	if (!isRight) await recordRejection(core.database.query, id);
	return isRight;
}

export async function recordRejection(db: Db, accountId: string | null) {
	nameAccount(accountId);
	const { accountId: actorId, address } = currentActor();
	if (actorId && actorId === accountId) {
		return recordRepeat(db, { kind: 'password.refused', accountId });
	}
	// An entry in the log of the logged-in account would reveal whether the address has an account.
	await asActor({ via: 'visitor', address }, () =>
		recordRepeat(db, { kind: 'session.refused', accountId }),
	);
}

/** The lifetime of each token. */
export function tokenSeconds({ sessionMaxHours }: Pick<Settings, 'sessionMaxHours'>) {
	const hour = 60 * 60;
	return {
		session: sessionMaxHours * hour,
		device: deviceDays * 24 * hour,
		logIn: linkMinutes['log-in'] * 60,
	};
}
