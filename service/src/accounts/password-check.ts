// Checks a password wherever one is entered: counted, hashed in turn, and recorded when it is wrong.
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
	// A known device does not wait behind a flood of strangers.
	const strangers = createHashingQueue(2);
	const familiar = createHashingQueue(1);

	/** What an attempt to log in counts for. */
	const attemptOf = async ({ address, headers }: Visitor, email: string): Promise<Attempt> => {
		const device = deviceCookie.read(headers);
		const known = await isKnownDevice(query, email, device);
		return { address, email, device: known ? device : undefined };
	};

	/** A stranger has no account yet, and anyone can name the address of another. */
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

	/** The account that has this password; counts the attempt, from wherever it comes. */
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
