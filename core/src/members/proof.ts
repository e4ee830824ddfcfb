// What somebody enters to prove who they are, and what is counted and recorded of it.
import type { Credentials } from '../accounts/credentials.ts';
import { alertOwner } from '../accounts/mail/alert.ts';
import { twoFactorAlert } from '../accounts/mail/messages.ts';
import { accountByPassword } from '../accounts/password-hash.ts';
import { isKnownDevice } from '../accounts/sessions/devices.ts';
import { confirmationRequired, type Member, rotateSession } from '../accounts/sessions/sessions.ts';
import { findAccount } from '../accounts/store.ts';
import { acceptCode, codeRejected, enableTwoFactor } from '../accounts/two-factor.ts';
import { asActor, currentActor, nameAccount } from '../activity/actor.ts';
import { recordRepeat } from '../activity/record.ts';
import type { Core } from '../core.ts';
import type { Db } from '../database/schema.ts';
import type { Attempt } from './attempts.ts';
import type { Tokens, Visitor } from './visitor.ts';

/** Accepts a code, or the password where log-ins need no code, as proof that the member sent the request. */
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
	return renewToken(core, visitor, member);
}

/** Turns two-factor authentication on with the first code, and returns the recovery codes. */
export async function turnOnTwoFactor(core: Core, visitor: Visitor, member: Member, code: string) {
	const attempt = { address: visitor.address, email: member.email };
	const codes = await core.attempts.code(attempt, () => enableTwoFactor(core, member, code));
	if (!codes) throw codeRejected();
	alertOwner(core, member.id, twoFactorAlert('Two-factor authentication was turned on'));
	return { codes, tokens: await renewToken(core, visitor, member) };
}

/** Gives the session another token, unless a request at the same time has done so. */
async function renewToken(
	{ database }: Core,
	{ tokens: { session = '' } }: Visitor,
	{ sessionId }: Member,
): Promise<Tokens> {
	const next = await rotateSession(database.query, sessionId, session);
	return next ? { session: next } : {};
}

/** The account that has this password. Counts the attempt, wherever it comes from. */
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

/** Towards which limits an attempt at the account with this address counts. */
export async function attemptOf(
	{ database }: Core,
	{ address, tokens: { device } }: Visitor,
	email: string,
): Promise<Attempt> {
	const known = await isKnownDevice(database.query, email, device);
	return { address, email, device: known ? device : undefined };
}

/** Uses up a code of a member who is logged in. */
async function checkCode(core: Core, visitor: Visitor, { id, email }: Member, code: string) {
	const attempt = await attemptOf(core, visitor, email);
	const isRight = await core.attempts.code(attempt, () => acceptCode(core, id, code));
	if (!isRight) await recordRejection(core.database.query, id);
	return isRight;
}

/** Before the log-in there is no account, and anyone can enter the address of somebody else. */
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
