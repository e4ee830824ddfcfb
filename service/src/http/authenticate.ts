// Authenticates a request: first the session cookie, then the Bearer key, as the specification says.
import { apiKeyPattern, type ErrorCode } from 'board-access-contract';
import {
	ApiError,
	type Caller,
	type Core,
	currentMember,
	findKeyOwner,
	identify,
	type Member,
	requireConfirmation,
	type Settings,
} from 'board-access-core';
import { callerAddress, exactAddress } from './address.ts';
import { confirmedAfter } from './confirm.ts';
import type { Cookies } from './cookies.ts';
import { requireOwnOrigin, safeMethods } from './csrf.ts';
import type { ServiceContext } from './environment.ts';
import type { Limits } from './limits/rate-limits.ts';
import { noQuery, readId, readQuery } from './read.ts';
import { trustConnection } from './server/connections.ts';

/** A request that waits for a change for so long does not count. */
const freeAfterMilliseconds = 5_000;

export interface AuthenticatedCaller extends Caller {
	role: Member['role'];
	/** Whether the member has confirmed who they are lately; absent when a key was sent. */
	confirmed?: boolean;
	/** Read together with the key, so that it costs no query of its own. */
	boardsRevision?: number | undefined;
	/** Waits for a change, and rejects if the credential was revoked or changed in the meantime. */
	wait: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

type Found = Omit<AuthenticatedCaller, 'wait'>;

export type Authenticate = (
	c: ServiceContext,
	/** Not counted: paths with their own limit. */
	options?: { counted?: boolean },
) => Promise<AuthenticatedCaller>;

interface Needs extends Core {
	cookies: Cookies;
	limits: Limits;
}

export function createAuthenticate(needs: Needs): Authenticate {
	const find = async (c: ServiceContext, confirming = false) =>
		(await byCookie(c, needs)) ?? (await byKey(c, needs, confirming));
	return async (c, { counted = true } = {}) => {
		const found = await find(c);
		c.set('confirmCaller', async () => {
			const { accountId, role, keyId } = await find(c, true);
			const same = accountId === found.accountId && role === found.role && keyId === found.keyId;
			if (!same) throw changed();
		});
		trustConnection(c);
		const forgive = counted ? await needs.limits.request(found) : undefined;
		const wait: AuthenticatedCaller['wait'] = async (work) => {
			const began = performance.now();
			const result = await confirmedAfter(c, () => needs.limits.wait(found.accountId, work));
			// One that responds earlier counts, so that waits in a row are no way around the limit.
			const waited = performance.now() - began;
			if (waited >= freeAfterMilliseconds) forgive?.();
			return result;
		};
		return { ...found, wait };
	};
}

export function requireAdmin({ role }: Pick<AuthenticatedCaller, 'role'>) {
	if (role !== 'admin') throw new ApiError('admin_required', 'Only administrators can do this.');
}

/** An old session changes nothing for everyone. */
export async function authenticateAdmin(c: ServiceContext, authenticate: Authenticate) {
	const caller = await authenticate(c);
	requireAdmin(caller);
	if (!safeMethods.has(c.req.method)) requireConfirmation(caller);
	return caller;
}

/** The administrator who sent a request that has no query, and the identifier in its path. */
export async function readAdminRequest(c: ServiceContext, authenticate: Authenticate) {
	const { accountId } = await authenticateAdmin(c, authenticate);
	readQuery(c, noQuery);
	return { accountId, id: readId(c) };
}

/** Whether an administrator has yet to set up the two-factor authentication that is required. */
export function lacksTwoFactor(
	{ role, twoFactor }: Pick<Member, 'role' | 'twoFactor'>,
	{ adminTwoFactor }: Pick<Settings, 'adminTwoFactor'>,
) {
	return adminTwoFactor === 'required' && role === 'admin' && !twoFactor;
}

async function byCookie(c: ServiceContext, needs: Needs): Promise<Found | undefined> {
	const { cookies, settings } = needs;
	const account = await currentMember(needs, cookies.read(c.req.raw.headers));
	if (!account) return undefined;
	requireOwnOrigin(c, settings);
	if (lacksTwoFactor(account, settings)) {
		const message = 'Administrators need two-factor authentication here.';
		const hint = 'Set it up on the account page.';
		throw new ApiError('two_factor_required', message, { hint });
	}
	const { id, role, confirmed, sessionId } = account;
	return { accountId: id, role, isAdmin: role === 'admin', confirmed, sessionId };
}

/** When a request is confirmed, it has been counted already. */
async function byKey(
	c: ServiceContext,
	{ database, lastUsed, limits, settings }: Needs,
	confirming: boolean,
): Promise<Found> {
	const reject = async (code: ErrorCode, message: string, hint?: string): Promise<never> => {
		if (!confirming) await limits.rejectedKey(callerAddress(c, settings));
		throw new ApiError(code, message, hint === undefined ? {} : { hint });
	};
	const header = c.req.header('authorization');
	if (!header) {
		throw new ApiError('credentials_missing', 'An API key is required.', {
			hint: 'Send the header Authorization: Bearer key_…',
		});
	}
	const key = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
	if (!apiKeyPattern.test(key)) {
		return reject(
			'api_key_malformed',
			'The Authorization header does not contain an API key.',
			'Send Authorization: Bearer followed by the key: key_ and 48 hexadecimal characters.',
		);
	}
	const found = await findKeyOwner(database, key.toLowerCase());
	if (!found) {
		const hint = 'It may be of another service, or of a demo that was started again since.';
		return reject('api_key_invalid', 'This service did not issue this API key.', hint);
	}
	const { accountId, role, keyId, boardsRevision } = found;
	identify({ accountId, keyId });
	if (found.revokedAt || found.disabledAt) {
		return reject('api_key_revoked', 'This API key is revoked, or its account is disabled.');
	}
	if (found.expiresAt && Date.parse(found.expiresAt) <= database.clock.now()) {
		const hint = 'Create a new key on the page API keys.';
		return reject('api_key_expired', 'This API key has expired.', hint);
	}
	if (found.scope === 'boards') requireBoardsPath(c.req.path);
	if (!confirming) {
		const address = exactAddress(c, settings);
		lastUsed.touch(found.keyId, { first: found.lastUsedAt === null, address });
	}
	const isAdmin = role === 'admin' && found.scope === 'full';
	return { accountId, role, isAdmin, keyId, boardsRevision };
}

function changed() {
	const message = 'Your session ended or your role changed during this request.';
	const hint = 'Log in, or send the request again with an API key.';
	return new ApiError('credentials_missing', message, { hint });
}

/** Whether a key with the scope `boards` can use the path: boards and leases, but not with whom a lease is shared. */
export function isBoardsPath(path: string) {
	return /^\/v1\/(?!leases\/[^/]+\/shares)(account$|(boards|leases)(\/|$))/.test(path);
}

function requireBoardsPath(path: string) {
	if (isBoardsPath(path)) return;
	throw new ApiError(
		'scope_insufficient',
		'This API key is for boards and leases only, and cannot share them.',
		{
			hint: 'Use a key with the scope full.',
		},
	);
}
