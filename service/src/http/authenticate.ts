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
	type Settings,
} from 'board-access-core';
import { callerAddress, exactAddress } from './address.ts';
import { confirmedAfter } from './confirm.ts';
import type { Cookies } from './cookies.ts';
import { requireOwnOrigin } from './csrf.ts';
import type { ServiceContext } from './environment.ts';
import type { Limits } from './limits/rate-limits.ts';
import { trustConnection } from './server/connections.ts';

/** A request that waits this long for a change does not count. */
const freeAfterMilliseconds = 5_000;

export interface AuthenticatedCaller extends Caller {
	role: Member['role'];
	/** Read together with the key, so that it costs no query of its own. */
	boardsRevision?: number | undefined;
	/** Waits for a change, and rejects if the credential was revoked or changed in the meantime. */
	wait: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

type Found = Omit<AuthenticatedCaller, 'wait'>;

/** The core, and what only HTTP has. */
interface HttpCore extends Core {
	cookies: Cookies;
	limits: Limits;
}

/** Makes the function that says who sent a request. Paths with their own limit are not counted. */
export function createAuthenticate(core: HttpCore) {
	const find = async (c: ServiceContext, confirming = false) =>
		(await byCookie(c, core)) ?? (await byKey(c, core, confirming));
	return async (c: ServiceContext, counted: boolean): Promise<AuthenticatedCaller> => {
		const found = await find(c);
		c.set('confirmCaller', async () => {
			const { accountId, role, keyId } = await find(c, true);
			const same = accountId === found.accountId && role === found.role && keyId === found.keyId;
			if (same) return;
			const message = 'Your session ended or your role changed during this request.';
			const hint = 'Log in, or send the request again with an API key.';
			throw new ApiError('credentials_missing', message, { hint });
		});
		trustConnection(c.env?.incoming?.socket);
		const forgive = counted ? await core.limits.request(found) : undefined;
		const wait: AuthenticatedCaller['wait'] = async (work) => {
			const began = performance.now();
			const result = await confirmedAfter(c, () => core.limits.wait(found.accountId, work));
			// One that responds earlier counts, so that waits in a row are no way around the limit.
			const waited = performance.now() - began;
			if (waited >= freeAfterMilliseconds) forgive?.();
			return result;
		};
		return { ...found, wait };
	};
}

/** Whether an administrator has yet to set up the two-factor authentication that is required. */
export function lacksTwoFactor(
	{ role, twoFactor }: Pick<Member, 'role' | 'twoFactor'>,
	{ adminTwoFactor }: Pick<Settings, 'adminTwoFactor'>,
) {
	return adminTwoFactor === 'required' && role === 'admin' && !twoFactor;
}

async function byCookie(c: ServiceContext, core: HttpCore): Promise<Found | undefined> {
	const { cookies, settings } = core;
	const account = await currentMember(core, cookies.read(c.req.raw.headers));
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
	{ database, lastUsed, limits, settings }: HttpCore,
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
	if (!confirming) {
		const address = exactAddress(c, settings);
		lastUsed.touch(found.keyId, { first: found.lastUsedAt === null, address });
	}
	const isFull = found.scope === 'full';
	const isAdmin = role === 'admin' && isFull;
	return { accountId, role, isAdmin, keyId, boardsRevision, ...(!isFull && { scope: 'boards' }) };
}
