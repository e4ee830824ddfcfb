// Who is asking: a session cookie first, then a Bearer key, as the specification orders them.
import { apiKeyPattern } from 'board-access-contract';
import { mayHoldSession } from '../accounts/cookie.ts';
import type { Account } from '../accounts/store.ts';
import { callerAddress } from './address.ts';
import type { ServiceContext } from './environment.ts';
import { ApiFault } from './fault.ts';
import { requireOwnOrigin } from './origin.ts';
import { findKeyOwner } from '../keys/lookup.ts';
import type { Parts } from '../parts.ts';

export interface Caller {
	accountId: string;
	role: Account['role'];
	/** Absent when a session cookie was shown. */
	keyId?: string;
}

export type Authenticate = (c: ServiceContext) => Promise<Caller>;

type Needs = Pick<Parts, 'settings' | 'database' | 'accounts' | 'limits' | 'lastUsed'>;

export const createAuthenticate = (needs: Needs): Authenticate => {
	const byCookie = createByCookie(needs);
	const byKey = createByKey(needs);
	return async (c) => {
		const caller = (await byCookie(c)) ?? (await byKey(c));
		await needs.limits.request(caller);
		return caller;
	};
};

export const requireAdmin = ({ role }: Pick<Caller, 'role'>) => {
	if (role !== 'admin') throw new ApiFault('admin_required', 'This needs an administrator.');
};

const createByCookie =
	({ accounts, settings }: Needs) =>
	async (c: ServiceContext): Promise<Caller | undefined> => {
		if (!mayHoldSession(c.req.header('cookie'))) return undefined;
		const account = await accounts.current(c.req.raw.headers);
		if (!account) return undefined;
		requireOwnOrigin(c, settings);
		return { accountId: account.id, role: account.role };
	};

const createByKey =
	({ database, lastUsed, limits, settings }: Needs) =>
	async (c: ServiceContext): Promise<Caller> => {
		const refuse = async (fault: ApiFault): Promise<never> => {
			await limits.refusedKey(callerAddress(c, settings));
			throw fault;
		};
		const header = c.req.header('authorization');
		if (!header) throw missing();
		const key = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
		if (!apiKeyPattern.test(key)) return refuse(malformed());
		const found = await findKeyOwner(database, key.toLowerCase());
		if (!found) return refuse(unknown());
		if (found.revokedAt || found.disabledAt) return refuse(revoked());
		lastUsed.touch(found.keyId, { first: found.lastUsedAt === null });
		return { accountId: found.accountId, role: found.role, keyId: found.keyId };
	};

const missing = () =>
	new ApiFault('credentials_missing', 'This needs an API key.', {
		hint: 'Send it as Authorization: Bearer key_…',
	});

const malformed = () =>
	new ApiFault('api_key_malformed', 'The Authorization header does not hold an API key.', {
		hint: 'Send Authorization: Bearer and then key_ with 48 hexadecimal characters.',
	});

const unknown = () => new ApiFault('api_key_invalid', 'This service has not issued this API key.');

const revoked = () =>
	new ApiFault('api_key_revoked', 'This API key was revoked, or its account was disabled.');
