// How often a key, an account and an address may send requests. Replicas share what is worth sharing.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
	type Core,
	countNetworks,
	createCounts,
	createLimiter,
	type Settings,
	tooBusy,
} from 'board-access-core';
import type { Turn } from '../stream.ts';

const uploadsPerLease = 2;
const toolCalls = 10;
/** Few, so that the processor has time for the requests. */
const firmwareThreads = 2;
/** A quarter of the time of the thread that reads. */
const costlyMilliseconds = 15_000;
const maxCostlyReads = 50;

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(
	database: Pick<Core['database'], 'pool' | 'clock'>,
	settings: Settings,
) {
	const shared = createCounts(database);
	// An agent sends hundreds of requests a second, and a flood of unknown requests must not reach the database.
	const own = createCounts();
	const { rateLimitFailedCredentials: failures, rateLimitPerAccount, leasesPerAccount } = settings;
	const perKey = shared('key', settings.rateLimitPerKey);
	const perAccount = shared('account', rateLimitPerAccount);
	// A separate limit, so that the owner of a leaked key can still use the pages to revoke it.
	const perSession = shared('session', rateLimitPerAccount);
	// Enough for the jobs of a pipeline that wait for boards, plus a wait for each lease and its action.
	const waits = 100 + 2 * leasesPerAccount;
	const streams = settings.consoleStreamsPerAccount;
	const costlyRead = limitCostlyReads();
	const open = limitAtOnce(streams, `${streams} console streams of this account are already open`);
	const turns = createLimiter({ atOnce: 1 });
	// An account has one request here at a time, so that accounts take turns.
	const threads = createLimiter({ atOnce: firmwareThreads });
	return {
		/** Counts a request. The returned function refunds it after a long wait, because waits have their own limit. */
		async request({ accountId, keyId }: { accountId: string; keyId?: string | undefined }) {
			if (!keyId) return perSession.count(accountId);
			const forgiveKey = await perKey.count(keyId);
			const forgiveAccount = await perAccount.count(accountId);
			return () => {
				forgiveKey();
				forgiveAccount();
			};
		},
		/** Counts a request without a valid credential, by where it comes from. */
		unauthenticated: countNetworks(own, 'address', settings.rateLimitPerAddress),
		agent: own('agent', settings.rateLimitPerAgent).count,
		consoleInput: own('console-input', settings.rateLimitConsoleInput).count,
		/** Counts a rejected API key or agent token. */
		rejectedKey: countNetworks(shared, 'bad-keys', failures),
		/** Runs what blocks the others, such as a search of all boards, when it is the account's turn. */
		costlyRead,
		/** Finds what a key created. Other reads with a leaked key cannot use this up, so its owner can revoke it. */
		findFamily: limitCostlyReads(),
		/** Reads the firmware of an account in a thread, when it is the account's turn. */
		readFirmware: <Result>(accountId: string, read: () => Promise<Result>) =>
			costlyRead(accountId, read, threads.run),
		/** Runs what waits for a change, unless too many requests of the account do so already. */
		wait: limitAtOnce(waits, `${waits} requests of this account are already waiting for a change`)
			.run,
		/** Carries out a call of a tool, which may wait and read a console. */
		toolCall: limitAtOnce(toolCalls, `${toolCalls} tool calls of this account are in progress`, 10)
			.run,
		/** Receives an upload for a lease, unless others are in progress already: each is held in memory. */
		upload: limitAtOnce(
			uploadsPerLease,
			`${uploadsPerLease} uploads for this lease are already in progress`,
			10,
		).run,
		/** Counts a channel as a console stream. Returns a function to call once it has ended. */
		channel: open.begin,
		/**
		 * Starts a console stream, unless the account has too many open. They take turns, each in a turn of the
		 * event loop, so that an account uses one connection to the database however many it opens and reads.
		 */
		async consoleStream(
			accountId: string,
			start: (stream: { turn: Turn; onEnd: () => void }) => Promise<Response>,
		) {
			const onEnd = open.begin(accountId);
			const turn: Turn = (read) => turns.run(accountId, () => nextTurn().then(read));
			try {
				return await turn(() => start({ turn, onEnd }));
			} catch (error) {
				onEnd();
				throw error;
			}
		},
	};
}

function limitAtOnce(atOnce: number, taken: string, seconds?: number) {
	return createLimiter({ atOnce, mayWait: 0, rejection: () => tooBusy(taken, seconds) });
}

type Run = ReturnType<typeof createLimiter>['run'];

/** An account has one costly read at a time, and only so many milliseconds of them a minute. */
export function limitCostlyReads(milliseconds = costlyMilliseconds) {
	const spent = createCounts()('reading', milliseconds);
	const taken = `${maxCostlyReads} such requests of this account are waiting`;
	const rejection = () => tooBusy(taken);
	const limiter = createLimiter({ atOnce: 1, mayWait: maxCostlyReads - 1, rejection });
	return <Result>(accountId: string, read: () => Promise<Result>, run: Run = (_, work) => work()) =>
		limiter.run(accountId, async () => {
			// After the requests that others have sent by now, and after the response to the read before.
			await nextTurn();
			spent.check(accountId);
			return run('', () => {
				// Waiting for the others costs nothing.
				const startedAt = performance.now();
				const used = () => Math.round(performance.now() - startedAt);
				return read().finally(() => spent.add(accountId, used()));
			});
		});
}
