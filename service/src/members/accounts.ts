// Signing up, logging in and out, proving who one is: what the web pages call.

import {
	ApiError,
	acceptCode,
	accountByPassword,
	alertOwner,
	asActor,
	type Core,
	type Credentials,
	checkCredentials,
	checkNextPassword,
	confirmationRequired,
	createAccount,
	createHashingQueue,
	createLink,
	currentActor,
	type Db,
	deleteDevices,
	deviceDays,
	disableTwoFactor,
	dropSession,
	enableTwoFactor,
	endSession,
	findAccount,
	findLink,
	findMember,
	hashPassword,
	identify,
	inTransaction,
	invalid,
	isKnownDevice,
	type LeaseEvents,
	lockAccount,
	type Member,
	nameAccount,
	newDeviceAlert,
	newPasswordAlert,
	openSession,
	passwordLink,
	record,
	recordRepeat,
	rememberDevice,
	replaceRecoveryCodes,
	resetMessage,
	rotateSession,
	setPassword,
	takeLink,
	twoFactorAlert,
	useLink,
	verificationMessage,
} from 'board-access-core';
import type { Attempt, Limits } from '../http/limits/rate-limits.ts';
import { serviceCookie } from './cookie.ts';

/** Who sent a request, as far as that is known before the log-in. */
export interface Visitor {
	headers: Headers;
	address: string;
}

/** The account of a log-in, with the hash that the password matched. */
interface LoggingIn {
	id: string;
	password_hash?: string;
}

/** The Set-Cookie headers of a step of a log-in, and whether it was the last one. */
export interface Entry {
	cookies: string[];
	/** Whether a code has to be entered next. */
	needsCode?: true;
	/** Whether this is the first log-in to the account from this device. */
	newDevice?: boolean;
}

interface Needs extends Pick<Core, 'database' | 'settings'>, Partial<Pick<Core, 'mail' | 'log'>> {
	limits: Limits;
}

const hour = 60 * 60;
const userAgentLength = 256;

export class Accounts {
	readonly #needs: Needs;
	readonly #query: Db;
	readonly #session: ReturnType<typeof serviceCookie>;
	readonly #device: ReturnType<typeof serviceCookie>;
	readonly #logIn: ReturnType<typeof serviceCookie>;
	// A known device does not wait behind a flood of requests from unknown devices.
	readonly #unknownHashing = createHashingQueue(2);
	readonly #knownHashing = createHashingQueue(1);

	constructor(needs: Needs) {
		this.#needs = needs;
		this.#query = needs.database.query;
		this.#session = serviceCookie(needs.settings, 'session_token');
		this.#device = serviceCookie(needs.settings, 'device');
		this.#logIn = serviceCookie(needs.settings, 'log-in');
	}

	/** The account whose session the cookie holds, if there is one. */
	async current(headers: Headers) {
		const token = this.#session.read(headers);
		if (!token) return undefined;
		const member = await findMember(this.#query, token, this.#needs.settings.sessionIdleMinutes);
		if (member) identify({ accountId: member.id, sessionId: member.sessionId });
		return member;
	}

	/** Creates an account on the free tier and logs it in. */
	async signUp(visitor: Visitor, credentials: Credentials): Promise<Entry> {
		const { settings, limits } = this.#needs;
		if (settings.signup !== 'open') throw signUpClosed();
		await checkCredentials(credentials);
		await limits.attempt({ address: visitor.address });
		const account = await this.#unknownHashing(() => createAccount(this.#query, credentials));
		this.#sendVerification(account.email);
		return this.#open(visitor, account);
	}

	/** Logs in, or sets the cookie with which a code has to be entered next. */
	async logIn(visitor: Visitor, credentials: Credentials): Promise<Entry> {
		const account = await this.#checkPassword(visitor, credentials);
		if (!account) throw logInRejected();
		if (!account.two_factor_at) return this.#open(visitor, account);
		const token = await inTransaction(this.#query, async (transaction) => {
			await lockLogIn(transaction, account);
			return createLink(transaction, 'log-in', account.email);
		});
		return { cookies: [this.#logIn.write(token, 10 * 60)], needsCode: true };
	}

	/** Whether the password was entered and the code is next. */
	async awaitsCode({ headers }: Visitor) {
		return (await this.#findLogIn(headers).catch(() => undefined)) !== undefined;
	}

	/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
	async enterCode(visitor: Visitor, code: string): Promise<Entry> {
		const { token, email } = await this.#findLogIn(visitor.headers);
		const account = await findAccount(this.#query, email);
		if (!account) throw logInRejected();
		nameAccount(account.id);
		const rejected = codeRejected();
		// One transaction, so that of two codes that are sent at once, one is used up.
		const useCode = async (transaction: Db) => {
			await takeLink(transaction, token);
			const needs = { ...this.#needs, database: { query: transaction } };
			if (!(await acceptCode(needs, account.id, code))) throw rejected;
		};
		const attempt = await this.#attemptOf(visitor, email);
		const logIn = () => this.#open(visitor, account, useCode);
		const entry = await this.#tryCode(attempt, logIn).catch(async (error) => {
			if (error === rejected) await recordRejection(this.#query, account.id);
			throw error;
		});
		return { ...entry, cookies: [...entry.cookies, this.#logIn.clear()] };
	}

	async logOut({ headers }: Visitor) {
		const member = await this.current(headers);
		const token = this.#session.read(headers);
		if (member) await endSession(this.#query, member.id, member.sessionId);
		else if (token) await dropSession(this.#query, token); // it was idle for too long
		return { cookies: [this.#session.clear()] };
	}

	/** Accepts a code, or the password where log-ins need no code, as proof that the member sent the request. */
	async confirm(visitor: Visitor, member: Member, proof: string) {
		const { email, twoFactor } = member;
		const isRight = twoFactor
			? await this.#checkCode(visitor, member, proof)
			: await this.#checkPassword(visitor, { email, password: proof });
		if (!isRight) {
			const message = twoFactor
				? 'The code is incorrect or was already used. Wait for the next one.'
				: 'The password is incorrect.';
			throw confirmationRequired(message);
		}
		return { cookies: await this.#rotate(visitor, member) };
	}

	/** Changes the password and ends every other session of the account. */
	async changePassword(
		visitor: Visitor,
		{ email, current, next }: { email: string; current: string; next: string },
	) {
		await checkNextPassword({ email, password: next });
		const account = await this.#checkPassword(visitor, { email, password: current });
		if (!account) throw invalid([{ path: 'current', message: 'is incorrect' }]);
		const password_hash = await this.#knownHashing(() => hashPassword(next));
		await inTransaction(this.#query, async (transaction) => {
			await lockLogIn(transaction, account);
			await setPassword(transaction, account.id, password_hash);
			await transaction
				.deleteFrom('account_links')
				.where('email', '=', account.email)
				.where('kind', 'in', ['reset', 'log-in'])
				.execute();
			await deleteDevices(transaction, account.id, this.#device.read(visitor.headers));
			await record(transaction, { kind: 'password.changed' });
		});
		alertOwner(this.#needs, account.id, newPasswordAlert);
		return this.#open(visitor, { id: account.id, password_hash });
	}

	/** Sends a link for a new password, if the address has an account. */
	async forgotPassword({ address }: Visitor, email: string) {
		const { limits, mail, settings } = this.#needs;
		await limits.attempt({ address, email });
		mail?.send(async () => {
			const account = await findAccount(this.#query, email);
			if (!account || account.disabled_at) return undefined;
			return resetMessage(account.email, async () =>
				passwordLink(settings.webUrl, await createLink(this.#query, 'reset', account.email)),
			);
		});
	}

	/** Uses a one-time link to set a password or to create an account, and returns what the end of its leases means for others. */
	async choosePassword(
		{ address }: Visitor,
		choice: { token: string; password: string },
	): Promise<LeaseEvents> {
		await this.#needs.limits.attempt({ address });
		const { kind, email } = await findLink(this.#query, choice.token);
		if (kind === 'invite' && this.#needs.settings.signup === 'closed') throw signUpClosed();
		const ended = await this.#unknownHashing(() => useLink(this.#query, choice));
		const account = kind === 'reset' ? await findAccount(this.#query, email) : undefined;
		if (account) alertOwner(this.#needs, account.id, newPasswordAlert);
		return ended;
	}

	/** Sends the owner of an account a link that verifies the address. */
	async requestVerification({ address }: Visitor, email: string) {
		await this.#needs.limits.attempt({ address, email });
		this.#sendVerification(email);
	}

	/** Turns two-factor authentication on with the first code, and returns the recovery codes. */
	async enableTwoFactor(visitor: Visitor, member: Member, code: string) {
		const attempt = { address: visitor.address, email: member.email };
		const codes = await this.#tryCode(attempt, () => enableTwoFactor(this.#needs, member, code));
		if (!codes) throw codeRejected();
		alertOwner(this.#needs, member.id, twoFactorAlert('Two-factor authentication was turned on'));
		return { codes, cookies: await this.#rotate(visitor, member) };
	}

	/** Turns two-factor authentication off: in the session of its owner, or without one as an administrator. */
	async disableTwoFactor(accountId: string, ownSessionId?: string) {
		if (!(await disableTwoFactor(this.#query, accountId, ownSessionId))) return;
		const alert = twoFactorAlert('Two-factor authentication was turned off');
		alertOwner(this.#needs, accountId, { ...alert, byAdministrator: !ownSessionId });
	}

	/** Creates new recovery codes; the previous ones no longer work. */
	async replaceRecoveryCodes(accountId: string) {
		const codes = await replaceRecoveryCodes(this.#query, accountId);
		alertOwner(this.#needs, accountId, twoFactorAlert('Your recovery codes were replaced'));
		return codes;
	}

	/** Opens a session for an account whose password was checked, once `check` has succeeded too. */
	async #open(
		{ address, headers }: Visitor,
		account: LoggingIn,
		check = async (_transaction: Db) => {},
	): Promise<Entry> {
		const accountId = account.id;
		const userAgent = (headers.get('user-agent') ?? '').slice(0, userAgentLength);
		const { sessionMaxHours } = this.#needs.settings;
		const former = this.#session.read(headers);
		const { token, device, isNew } = await inTransaction(this.#query, async (transaction) => {
			await lockLogIn(transaction, account);
			await check(transaction);
			// The browser drops its old session, so a copy of that cookie must stop working too.
			if (former) await dropSession(transaction, former);
			const visit = { account_id: accountId, ip_address: address, user_agent: userAgent };
			const { id: sessionId, token } = await openSession(transaction, visit, sessionMaxHours);
			identify({ accountId, sessionId });
			await record(transaction, { kind: 'session.created' });
			const held = this.#device.read(headers);
			return { token, ...(await rememberDevice(transaction, accountId, held)) };
		});
		if (isNew) alertOwner(this.#needs, accountId, newDeviceAlert(userAgent));
		const cookies = [this.#writeSession(token), this.#device.write(device, deviceDays * 24 * hour)];
		return { cookies, newDevice: isNew };
	}

	/** Gives the session another token, unless a request at the same time has done so. */
	async #rotate({ headers }: Visitor, { sessionId }: Member) {
		const token = this.#session.read(headers) ?? '';
		const next = await rotateSession(this.#query, sessionId, token);
		return next ? [this.#writeSession(next)] : [];
	}

	#writeSession(token: string) {
		return this.#session.write(token, this.#needs.settings.sessionMaxHours * hour);
	}

	async #findLogIn(headers: Headers) {
		const token = this.#logIn.read(headers) ?? '';
		return { token, ...(await findLink(this.#query, token, ['log-in'])) };
	}

	/** Which limits an attempt to log in counts towards. */
	async #attemptOf({ address, headers }: Visitor, email: string): Promise<Attempt> {
		const device = this.#device.read(headers);
		const known = await isKnownDevice(this.#query, email, device);
		return { address, email, device: known ? device : undefined };
	}

	/** The account that has this password. Counts the attempt, wherever it comes from. */
	async #checkPassword(visitor: Visitor, credentials: Credentials) {
		const { limits } = this.#needs;
		const attempt = await this.#attemptOf(visitor, credentials.email);
		await limits.attempt(attempt);
		const hashing = attempt.device ? this.#knownHashing : this.#unknownHashing;
		const account = await hashing(() => accountByPassword(this.#query, credentials));
		if (account) limits.forgive(attempt);
		else {
			const named = await findAccount(this.#query, credentials.email);
			await recordRejection(this.#query, named?.id ?? null);
		}
		return account;
	}

	/** Uses up a code of a member who is logged in. */
	async #checkCode(visitor: Visitor, { id, email }: Member, code: string) {
		const attempt = await this.#attemptOf(visitor, email);
		const isRight = await this.#tryCode(attempt, () => acceptCode(this.#needs, id, code));
		if (!isRight) await recordRejection(this.#query, id);
		return isRight;
	}

	/** Counts an attempt at a code, unless it succeeds. */
	async #tryCode<Result>(attempt: Attempt, use: () => Promise<Result>) {
		const { limits } = this.#needs;
		await limits.code(attempt);
		const result = await use();
		if (result) limits.forgiveCode(attempt);
		return result;
	}

	#sendVerification(email: string) {
		const { mail, settings } = this.#needs;
		mail?.send(async () => {
			const token = await createLink(this.#query, 'verify', email);
			return verificationMessage(email, `${settings.webUrl}/verify?token=${token}`);
		});
	}
}

/** Locks the account, and rejects a password that was changed after it was checked. */
async function lockLogIn(transaction: Db, { id, password_hash: hash }: LoggingIn) {
	await lockAccount(transaction, id, logInRejected);
	if (!hash) return;
	await transaction
		.selectFrom('credentials')
		.select('account_id')
		.where('account_id', '=', id)
		.where('password_hash', '=', hash)
		.executeTakeFirstOrThrow(logInRejected);
}

/** Before the log-in there is no account, and anyone can enter the address of somebody else. */
async function recordRejection(db: Db, accountId: string | null) {
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

function logInRejected() {
	return new ApiError(
		'invalid_request',
		'The email address or the password is incorrect, or the account is disabled.',
	);
}

function signUpClosed() {
	return new ApiError('invalid_request', 'Sign-up is closed. Ask the operator for an account.');
}

function codeRejected() {
	return invalid([{ path: 'code', message: 'is incorrect or was already used' }]);
}
