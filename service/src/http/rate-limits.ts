// How often a key, an account and an address may send requests. Replicas share what is worth sharing.
import { createHash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { networksAround } from './address.ts';
import { createCounts } from './counts.ts';
import { createCostlyReads, createPlaces, createTurn } from './long-requests.ts';

// Two a second, which is as fast as the boards page asks while somebody types.
const searchesPerWindow = 120;
const codesPerWindow = 10;
// A code has six digits, so a minute is too short a time to count guesses in.
const codeWindowSeconds = 15 * 60;
const uploadsPerLease = 2;

export interface Attempt {
	address: string;
	email?: string;
	/** A device that has logged in before: it is counted separately, so that others cannot lock it out. */
	device?: string | undefined;
}

export type Limits = ReturnType<typeof createLimits>;

export function createLimits({ pool }: Pick<Database, 'pool'>, settings: Settings) {
	const shared = createCounts(pool);
	// An agent sends hundreds of requests a second, and a flood of strangers must not reach the database.
	const own = createCounts();
	const { rateLimitFailedCredentials: failures, rateLimitPerAccount, leasesPerAccount } = settings;
	const perKey = shared('key', settings.rateLimitPerKey);
	const perAccount = shared('account', rateLimitPerAccount);
	// A separate limit, so that the owner of a leaked key can still use the pages to revoke it.
	const perSession = shared('session', rateLimitPerAccount);
	const perSearcher = shared('search', searchesPerWindow);
	const perAgent = own('agent', settings.rateLimitPerAgent);
	const perConsoleWriter = own('console-input', settings.rateLimitConsoleInput);
	const perVisitor = countNetworks(shared, 'credentials', failures);
	// So high that one address cannot lock someone out.
	const perEmail = shared('email', failures * 10, { exact: true });
	const perDevice = shared('device', failures, { exact: true });
	const perCode = shared('code', codesPerWindow, {
		seconds: codeWindowSeconds,
		exact: true,
	});
	// Enough for the jobs of a pipeline that wait for boards, plus a wait for each lease and its action.
	const waits = 100 + 2 * leasesPerAccount;
	const streams = settings.consoleStreamsPerAccount;
	return {
		async request({ accountId, keyId }: { accountId: string; keyId?: string | undefined }) {
			if (!keyId) return perSession.count(accountId);
			await perKey.count(keyId);
			await perAccount.count(accountId);
		},
		/** Counts a request without a valid credential, by where it comes from. */
		unauthenticated: countNetworks(own, 'address', settings.rateLimitPerAddress),
		/** Counts a search, which reads every board. */
		search: perSearcher.count,
		agent: perAgent.count,
		consoleInput: perConsoleWriter.count,
		/** Counts a rejected API key or agent token. */
		refusedKey: countNetworks(shared, 'bad-keys', failures),
		/** Counts an attempt at a password, by where it comes from and by whom it names. */
		async attempt({ address, ...named }: Attempt) {
			if (named.device) return perDevice.count(nameOf(named));
			await perVisitor(address);
			if (named.email) await perEmail.count(nameOf(named));
		},
		/** Refunds a successful attempt to whom it named. */
		forgive(tried: Attempt) {
			(tried.device ? perDevice : perEmail).add(nameOf(tried), -1);
		},
		code: (tried: Attempt) => perCode.count(nameOf(tried)),
		forgiveCode: (tried: Attempt) => perCode.add(nameOf(tried), -1),
		/** Runs what blocks the others, such as a search of all boards, when it is the account's turn. */
		costlyRead: createCostlyReads(),
		/** Runs what waits for a change, unless too many requests of the account do so already. */
		wait: createTurn(waits, `${waits} requests of this account are already waiting for a change`),
		/** Receives an upload for a lease, unless others are in progress already: each is held in memory. */
		upload: createTurn(
			uploadsPerLease,
			`${uploadsPerLease} uploads for this lease are already in progress`,
			10,
		),
		/** Starts a console stream, unless the account has too many open; returns a function that ends it. */
		consoleStream: createPlaces(
			streams,
			`${streams} console streams of this account are already open`,
		),
	};
}

/** Counts an address, and of IPv6 the networks around it too. */
function countNetworks(counts: ReturnType<typeof createCounts>, prefix: string, points: number) {
	const counters = new Map(
		[1, 4, 16].map((room) => [
			room,
			counts(room === 1 ? prefix : `${prefix}-${room}`, points * room),
		]),
	);
	return async (address: string) => {
		for (const { name, room } of networksAround(address)) {
			await counters.get(room)?.count(digest(name));
		}
	};
}

function nameOf({ email = '', device = '' }: Omit<Attempt, 'address'>) {
	return digest(device + email.toLowerCase());
}

// Addresses come from outside in any length, and the table must not reveal them.
function digest(name: string) {
	return createHash('sha256').update(name).digest('base64url');
}
