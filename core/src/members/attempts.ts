// How often passwords and codes may be tried, and how many passwords are hashed at the same time.
import { createHashingQueue } from '../accounts/password-hash.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { countNetworks, createCounts, digest } from '../limits/counts.ts';

const codesPerWindow = 10;
// A code has six digits, so a minute is too short a time to count guesses in.
const codeWindowSeconds = 15 * 60;

interface Attempt {
	address: string;
	email?: string;
	/** A device that has logged in before: it is counted separately, so that others cannot lock it out. */
	device?: string | undefined;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(database: Database, settings: Settings) {
	const { rateLimitFailedCredentials: failures } = settings;
	const counts = createCounts(database);
	const perVisitor = countNetworks(counts, 'credentials', failures);
	// So high that one address cannot lock someone out.
	const perEmail = counts('email', failures * 10, { exact: true });
	const perDevice = counts('device', failures, { exact: true });
	const perCode = counts('code', codesPerWindow, { seconds: codeWindowSeconds, exact: true });
	return {
		/** Counts an attempt at a password, by where it comes from and by whom it names. */
		async password({ address, ...named }: Attempt) {
			if (named.device) return perDevice.count(nameOf(named));
			await perVisitor(address);
			return named.email ? perEmail.count(nameOf(named)) : undefined;
		},
		/** Refunds a successful attempt to whom it named. */
		forgivePassword(attempt: Attempt) {
			(attempt.device ? perDevice : perEmail).add(nameOf(attempt), -1);
		},
		/** Counts an attempt at a code, unless it succeeds. */
		async code<Result>(attempt: Attempt, use: () => Promise<Result>) {
			await perCode.count(nameOf(attempt));
			const result = await use();
			if (result) perCode.add(nameOf(attempt), -1);
			return result;
		},
		// A known device does not wait behind a flood of requests from unknown devices.
		hashingForKnown: createHashingQueue(1),
		hashingForUnknown: createHashingQueue(2),
	};
}

function nameOf({ email = '', device = '' }: Omit<Attempt, 'address'>) {
	return digest(device + email.toLowerCase());
}
