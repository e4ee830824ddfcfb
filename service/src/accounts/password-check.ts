// Checks a password wherever one is entered: counts the attempt, queues the hash, and records failures.
import { asActor, currentActor } from '../activity/actor.ts';
import { recordRepeat } from '../activity/record.ts';
import type { Database } from '../database/database.ts';
import type { Attempt, Limits } from '../http/limits.ts';
import type { Credentials } from './credentials.ts';
import { accountByPassword, createHashingQueue } from './password-hash.ts';
import type { Visitor } from './sessions/browser-sessions.ts';
import type { OwnCookie } from './sessions/cookie.ts';
import { isKnownDevice } from './sessions/devices.ts';
import { findAccount } from './store.ts';

export function createPasswordCheck({
	database: { query },
	limits,
	device: deviceCookie,
}: {
	database: Database;
	limits: Limits;
	device: OwnCookie;
}) {
	// A known device does not wait behind a flood of requests from unknown devices.
	const strangers = createHashingQueue(2);
	const familiar = createHashingQueue(1);

	/** Which limits an attempt to log in counts towards. */
	const attemptOf = async ({ address, headers }: Visitor, email: string): Promise<Attempt> => {
		const device = deviceCookie.read(headers);
		const known = await isKnownDevice(query, email, device);
		return { address, email, device: known ? device : undefined };
	};

	/** Before the log-in there is no account, and anyone can enter the address of somebody else. */
	const recordRefusal = async (accountId: string | null) => {
		const { accountId: actorId, address } = currentActor();
		if (actorId && actorId === accountId) {
			return recordRepeat(query, { kind: 'password.refused', accountId });
		}
		// An entry in the log of the logged-in account would reveal whether the address has an account.
		await asActor({ via: 'visitor', address }, () =>
			recordRepeat(query, { kind: 'session.refused', accountId }),
		);
	};

	/** The account that has this password. Counts the attempt, wherever it comes from. */
	const checkPassword = async (visitor: Visitor, credentials: Credentials) => {
		const attempt = await attemptOf(visitor, credentials.email);
		await limits.attempt(attempt);
		const hashing = attempt.device ? familiar : strangers;
		const account = await hashing(() => accountByPassword(query, credentials));
		if (account) await limits.forgive(attempt);
		else await recordRefusal((await findAccount(query, credentials.email))?.id ?? null);
		return account;
	};

	return { strangers, familiar, attemptOf, recordRefusal, checkPassword };
}
