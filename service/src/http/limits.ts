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
import { createSharedCounts } from './shared-counts.ts';
import { tooMany, windowSeconds } from './too-many.ts';

// Two a second, which is as fast as the boards page asks while somebody types.
const searchesPerWindow = 120;

export interface Limits {
	/** Counts a request that was authenticated. */
	request(caller: { accountId: string; keyId?: string | undefined }): Promise<void>;
	/** Counts a search, which reads every board. */
	search(accountId: string): Promise<void>;
	/** Counts a request of an agent. */
	agent(agentId: string): Promise<void>;
	/** Counts a request with console input. */
	consoleInput(accountId: string): Promise<void>;
	/** Counts an API key or an agent token that was refused. */
	refusedKey(address: string): Promise<void>;
	/** Counts a try at a password, by where it comes from and by whom it names. */
	attempt(tried: { address: string; email?: string }): Promise<void>;
	/** Takes back a try that turned out well, for whom it named. */
	forgive(email: string): Promise<void>;
}

export function createLimits(database: Database, settings: Settings): Limits {
	const shared = database.pool && createSharedCounts(database.pool, windowSeconds);
	const createRequestCounter = (prefix: string, points: number) =>
		shared?.counter(prefix, points) ?? createCounter(database, prefix, points);
	const perKey = createRequestCounter('key', settings.rateLimitPerKey);
	const perAccount = createRequestCounter('account', settings.rateLimitPerAccount);
	// Apart, so that a key in wrong hands leaves its owner the pages on which to revoke it.
	const perSession = createRequestCounter('session', settings.rateLimitPerAccount);
	const perSearcher = createRequestCounter('search', searchesPerWindow);
	// In memory on every database: an agent sends hundreds of requests a second, typing dozens.
	const perAgent = createCounter({}, 'agent', settings.rateLimitPerAgent);
	const perTypist = createCounter({}, 'console-input', settings.rateLimitConsoleInput);
	const badKeys = createNetworkCounter(database, 'bad-keys', settings.rateLimitFailedCredentials);
	const perVisitor = createNetworkCounter(
		database,
		'credentials',
		settings.rateLimitFailedCredentials,
	);
	// So high that it takes many addresses to keep somebody out.
	const perEmail = createCounter(database, 'email', settings.rateLimitFailedCredentials * 10);
	return {
		async request({ accountId, keyId }) {
			if (!keyId) return perSession.count(accountId);
			await perKey.count(keyId);
			await perAccount.count(accountId);
		},
		agent: (agentId) => perAgent.count(agentId),
		consoleInput: (accountId) => perTypist.count(accountId),
		search: (accountId) => perSearcher.count(accountId),
		refusedKey: (address) => badKeys(address),
		async attempt({ address, email }) {
			await perVisitor(address);
			if (email) await perEmail.count(digest(email.toLowerCase()));
		},
		async forgive(email) {
			await perEmail.takeBack(digest(email.toLowerCase()));
		},
	};
}

function createCounter(database: Pick<Database, 'pool'>, keyPrefix: string, points: number) {
	const limiter = createLimiter(database, keyPrefix, points);
	const write = (name: string, size: number) => limiter.consume(name, size).catch(countOf);
	// In memory nothing waits for a row.
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
function createNetworkCounter(database: Database, keyPrefix: string, points: number) {
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

/** What was counted when it was too many; a limiter that knows so without asking counts no more. */
function countOf(refusal: unknown) {
	if (!(refusal instanceof RateLimiterRes)) throw refusal;
	const { consumedPoints, msBeforeNext } = refusal;
	return { consumedPoints: consumedPoints || Number.POSITIVE_INFINITY, msBeforeNext };
}

function createLimiter(
	{ pool }: Pick<Database, 'pool'>,
	keyPrefix: string,
	points: number,
): RateLimiterAbstract {
	const options = { keyPrefix, points, duration: windowSeconds };
	if (!pool) return new RateLimiterMemory(options);
	return new RateLimiterPostgres({
		...options,
		storeClient: pool,
		storeType: 'pool',
		tableName: 'rate_limits',
		tableCreated: true,
		// A caller over the limit is turned away without asking the database again.
		inMemoryBlockOnConsumed: points + 1,
	});
}

// Addresses come from outside in any length, and the table must not reveal them.
function digest(name: string) {
	return createHash('sha256').update(name).digest('base64url');
}
