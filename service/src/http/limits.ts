// How often a key, an account and an address may ask: in memory on SQLite, which serves one
// process, and in the database on PostgreSQL, which serves many. What was refused is counted at once;
// ordinary requests are added up in the database a few times a second.
import { createHash } from 'node:crypto';
import {
	type RateLimiterAbstract,
	RateLimiterMemory,
	RateLimiterPostgres,
	RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { networksAround } from './address.ts';
import { batchWrites } from './batched-writes.ts';
import { createCostlyReads } from './costly-reads.ts';
import { createConsoleStreams, createUploads, createWaits } from './long-requests.ts';
import { createSharedCounts } from './shared-counts.ts';
import { tooMany, windowSeconds } from './too-many.ts';

// Two a second, which is as fast as the boards page asks while somebody types.
const searchesPerWindow = 120;
const codesPerWindow = 10;
const codeWindowSeconds = 15 * 60;

export interface Limits {
	/** Counts a request that was authenticated. */
	request(caller: { accountId: string; keyId?: string | undefined }): Promise<void>;
	/** Counts a request without a valid credential, by where it comes from. */
	unauthenticated(address: string): Promise<void>;
	/** Counts a search, which reads every board. */
	search(accountId: string): Promise<void>;
	/** Runs what blocks the others, such as a search of all boards, when it is the account's turn. */
	costlyRead<Result>(accountId: string, read: () => Promise<Result>): Promise<Result>;
	/** Runs what waits for a change, unless too many requests of the account do so already. */
	wait<Result>(accountId: string, wait: () => Promise<Result>): Promise<Result>;
	/** Receives an upload for a lease, unless others are in progress already. */
	upload<Result>(leaseId: string, receive: () => Promise<Result>): Promise<Result>;
	/** Starts a console stream, unless the account has too many open; returns a function that ends it. */
	consoleStream(accountId: string): () => void;
	/** Counts a request of an agent. */
	agent(agentId: string): Promise<void>;
	/** Counts a request with console input. */
	consoleInput(accountId: string): Promise<void>;
	/** Counts a rejected API key or agent token. */
	refusedKey(address: string): Promise<void>;
	/** Counts an attempt at a password, by where it comes from and by whom it names. */
	attempt(tried: Attempt): Promise<void>;
	/** Takes back an attempt that turned out well, for whom it named. */
	forgive(tried: Attempt): Promise<void>;
	/** Counts an attempt at a code of an authenticator app. */
	code(tried: Attempt): Promise<void>;
	/** Takes back an attempt at a code that turned out well. */
	forgiveCode(tried: Attempt): Promise<void>;
}

export interface Attempt {
	address: string;
	email?: string;
	/** A device that has logged in before: it is counted separately, so that others cannot lock it out. */
	device?: string | undefined;
}

export function createLimits(database: Database, settings: Settings): Limits {
	const requests = createSharedCounts(database.pool, windowSeconds);
	const perKey = requests.counter('key', settings.rateLimitPerKey);
	const perAccount = requests.counter('account', settings.rateLimitPerAccount);
	// A separate limit, so that the owner of a leaked key can still use the pages to revoke it.
	const perSession = requests.counter('session', settings.rateLimitPerAccount);
	const perSearcher = requests.counter('search', searchesPerWindow);
	// In memory on every database: an agent sends hundreds of requests a second, typing dozens.
	const perAgent = createCounter({}, 'agent', settings.rateLimitPerAgent);
	const perTypist = createCounter({}, 'console-input', settings.rateLimitConsoleInput);
	// In memory too, so that a flood of strangers does not reach the database.
	const perStranger = createNetworkCounter({}, 'address', settings.rateLimitPerAddress);
	const badKeys = createNetworkCounter(database, 'bad-keys', settings.rateLimitFailedCredentials);
	const perVisitor = createNetworkCounter(
		database,
		'credentials',
		settings.rateLimitFailedCredentials,
	);
	// So high that one address cannot lock someone out.
	const perEmail = createCounter(database, 'email', settings.rateLimitFailedCredentials * 10);
	const perDevice = createCounter(database, 'device', settings.rateLimitFailedCredentials);
	// A code has six digits, so a minute is too short a time to count guesses in.
	const perCode = createCounter(database, 'code', codesPerWindow, codeWindowSeconds);
	return {
		async request({ accountId, keyId }) {
			if (!keyId) return perSession.count(accountId);
			await perKey.count(keyId);
			await perAccount.count(accountId);
		},
		costlyRead: createCostlyReads(),
		wait: createWaits(settings),
		upload: createUploads(),
		consoleStream: createConsoleStreams(settings),
		agent: (agentId) => perAgent.count(agentId),
		consoleInput: (accountId) => perTypist.count(accountId),
		unauthenticated: (address) => perStranger(address),
		search: (accountId) => perSearcher.count(accountId),
		refusedKey: (address) => badKeys(address),
		async attempt({ address, ...named }) {
			if (named.device) return perDevice.count(nameOf(named));
			await perVisitor(address);
			if (named.email) await perEmail.count(nameOf(named));
		},
		async forgive(tried) {
			await (tried.device ? perDevice : perEmail).takeBack(nameOf(tried));
		},
		code: (tried) => perCode.count(nameOf(tried)),
		forgiveCode: async (tried) => {
			await perCode.takeBack(nameOf(tried));
		},
	};
}

function createCounter(
	database: Pick<Database, 'pool'>,
	keyPrefix: string,
	points: number,
	duration = windowSeconds,
) {
	const limiter = createLimiter(database, { keyPrefix, points, duration });
	const write = (name: string, size: number) => limiter.consume(name, size).catch(countOf);
	// In memory, nothing waits for a row lock.
	const consume = database.pool
		? batchWrites(write)
		: async (name: string) => ({ result: await write(name, 1), later: 0 });
	return {
		async count(name: string) {
			const { result, later } = await consume(name);
			if (result.consumedPoints - later <= points) return;
			throw tooMany(limiter, Math.max(1, Math.ceil(result.msBeforeNext / 1000)));
		},
		takeBack: (name: string) => limiter.reward(name),
	};
}

/** Counts an address, and of IPv6 the networks around it too. */
function createNetworkCounter(database: Pick<Database, 'pool'>, keyPrefix: string, points: number) {
	const counters = new Map(
		[1, 4, 16].map((room) => [
			room,
			createCounter(database, room === 1 ? keyPrefix : `${keyPrefix}-${room}`, points * room),
		]),
	);
	return async (address: string) => {
		for (const { name, room } of networksAround(address)) {
			await counters.get(room)?.count(digest(name));
		}
	};
}

/** The count, if it exceeds the limit; a limiter that knows this already stops counting. */
function countOf(refusal: unknown) {
	if (!(refusal instanceof RateLimiterRes)) throw refusal;
	const { consumedPoints, msBeforeNext } = refusal;
	return { consumedPoints: consumedPoints || Number.POSITIVE_INFINITY, msBeforeNext };
}

function createLimiter(
	{ pool }: Pick<Database, 'pool'>,
	options: { keyPrefix: string; points: number; duration: number },
): RateLimiterAbstract {
	if (!pool) return new RateLimiterMemory(options);
	return new RateLimiterPostgres({
		...options,
		storeClient: pool,
		storeType: 'pool',
		tableName: 'rate_limits',
		tableCreated: true,
		// A caller over the limit is rejected without another query.
		inMemoryBlockOnConsumed: options.points + 1,
	});
}

function nameOf({ email = '', device = '' }: Omit<Attempt, 'address'>) {
	return digest(device + email.toLowerCase());
}

// Addresses come from outside in any length, and the table must not reveal them.
function digest(name: string) {
	return createHash('sha256').update(name).digest('base64url');
}
