// Limits for attempts at passwords and codes, and for hashing passwords.
import { createHashingQueue } from '../accounts/password-hash.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { countNetworks, createCounts, digest } from '../limits/counts.ts';

const codesPerWindow = 10;
// A code has only six digits, so attempts are counted for longer than a minute.
const codeWindowSeconds = 15 * 60;

interface Attempt {
	address: string;
	email?: string;
	/** A known device is counted separately, so that others cannot lock it out. */
	device?: string | undefined;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(database: Database, settings: Settings) {
	const { rateLimitFailedCredentials: failures } = settings;
	const counts = createCounts(database);
	const perVisitor = countNetworks(counts, 'credentials', failures);
	// High enough that one address cannot lock someone out.
	const perEmail = counts('email', failures * 10, { exact: true });
	const perDevice = counts('device', failures, { exact: true });
	const perCode = counts('code', codesPerWindow, { seconds: codeWindowSeconds, exact: true });
	return {
		async password({ address, ...named }: Attempt) {
			if (named.device) return perDevice.count(nameOf(named));
			await perVisitor(address);
			return named.email ? perEmail.count(nameOf(named)) : undefined;
		},
		/** Refunds a successful attempt. */
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
