// Creates a lease: requests it, then waits until it is active.
import { BoardAccessError } from '../errors/base.ts';
import { invalidResponse } from '../errors/errors.ts';
import { isApiError } from '../errors/guards.ts';
import { notify } from '../http/attempts.ts';
import { call } from '../http/call.ts';
import { persistently } from '../http/outages.ts';
import type { Transport } from '../http/request.ts';
import { followLater, pause } from '../http/signals.ts';
import { snakeCased } from '../records/records.ts';
import { callback, flag, readCallOptions } from '../settings/option-rules.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';
import { NoBoardError } from './errors.ts';
import { joinLimits, mayBeDone, type Shared, uniqueKey } from './helpers.ts';
import { readLeaseInput } from './input.ts';
import { readSeen, type SeenLease } from './records.ts';
import { Renewal } from './renewal.ts';
import { TrackedLease } from './tracked-lease.ts';
import type { LeaseCreateOptions, LeaseInput, LeaseProgress, LeaseRecord } from './types.ts';

const selfRenewedMinutes = 2;

/** How long an abort waits for a pending response, and then for the release. */
const graceMs = 1_000;
const afterAbort = { timeout: 4_000, attemptTimeout: graceMs };

type Watcher = LeaseCreateOptions['onProgress'];

export async function takeBoard(
	transport: Transport,
	input: LeaseInput,
	given?: LeaseCreateOptions,
) {
	const callbacks = { onProgress: callback, onRenewFailed: callback, onLeaseLimit: callback };
	const {
		renew = true,
		onProgress,
		onRenewFailed,
		onLeaseLimit,
		timeout,
		...rest
	} = readCallOptions(given, { renew: flag, ...callbacks });
	const { signal: caller, ...options } = rest;
	const { headers } = options;
	const wanted = readLeaseInput(input);
	const minutes = wanted.minutes ?? (renew ? selfRenewedMinutes : undefined);
	const { signal, end } = joinLimits({ signal: caller, timeout });
	try {
		const request = (waitSeconds: number | undefined) => {
			// With a key of the caller, another process must be able to send the same request.
			const rest = options.idempotencyKey === undefined ? { waitSeconds } : {};
			const json = snakeCased({ ...wanted, minutes, heartbeat: true, ...rest });
			return requestTracked(transport, json, { ...options, signal });
		};
		const place = { waitSeconds: wanted.waitSeconds, signal, onLeaseLimit };
		const lease = await untilPlace(request, place);
		const renewal = new Renewal(lease, onRenewFailed);
		// Also with `renew: false`, so that a lease in the queue ends with this process.
		renewal.start();
		await untilActive(lease, { signal, headers }, onProgress).catch(async (error: unknown) => {
			renewal.stop();
			await giveBack(lease, { signal, headers });
			throw error;
		});
		if (!renew) renewal.stop();
		return { tracked: lease, renewal };
	} finally {
		end();
	}
}

const placePauseMs = 2_000;

interface PlaceWait extends Pick<Shared, 'signal'>, Pick<LeaseCreateOptions, 'onLeaseLimit'> {
	waitSeconds: number | undefined;
}

/** Waits while the account has as many leases as it may. The time that is left is for the queue. */
async function untilPlace(
	request: (waitSeconds: number | undefined) => Promise<TrackedLease>,
	{ waitSeconds, signal, onLeaseLimit }: PlaceWait,
) {
	const endsAt = performance.now() + (waitSeconds ?? 0) * 1_000;
	for (let isFirst = true; ; isFirst = false) {
		const leftMs = Math.max(0, endsAt - performance.now());
		try {
			return await request(waitSeconds && Math.ceil(leftMs / 1_000));
		} catch (error) {
			if (!isApiError(error, 'lease_limit') || leftMs === 0) throw error;
			if (isFirst) notify(onLeaseLimit, error);
			await pause(Math.min(leftMs, placePauseMs * (1 + Math.random() / 2)), signal);
		}
	}
}

async function requestTracked(
	transport: Transport,
	json: object,
	{ signal, idempotencyKey = uniqueKey(), ...options }: CreateOptions & Shared,
) {
	const post = async (limits: RequestOptions) =>
		await call(transport.request, 'POST /v1/leases', {
			json,
			isPatient: true,
			options: { ...options, ...limits, idempotencyKey },
			read: readSeen,
		});
	// A response that arrives by then names the lease to release.
	const late = followLater(signal, graceMs);
	try {
		return new TrackedLease(transport, await post({ signal: late.signal }));
	} catch (error) {
		if (mayBeDone(error)) {
			const isWithdrawn = await withdraw(transport, post, { signal, headers: options.headers });
			if (error instanceof BoardAccessError) error.outcome = isWithdrawn ? 'rejected' : 'unknown';
		}
		throw isApiError(error, 'no_board_available') ? new NoBoardError(error) : error;
	} finally {
		late.end();
	}
}

/** Releases the lease of a creation without a response. Returns whether it has ended. */
async function withdraw(
	transport: Transport,
	post: (limits: RequestOptions) => Promise<SeenLease>,
	shared: Shared,
) {
	const limits = { maxRetries: 5, ...(shared.signal.aborted && afterAbort) };
	try {
		const lease = new TrackedLease(transport, await post(limits));
		await giveBack(lease, shared);
		return lease.over.aborted;
	} catch {
		return false;
	}
}

async function untilActive(lease: TrackedLease, shared: Shared, onProgress: Watcher) {
	const { signal } = shared;
	const watch = onProgress && watcher(lease, onProgress);
	for (;;) {
		signal.throwIfAborted();
		const { status } = lease.record;
		const step = async () => {
			await watch?.(shared);
			if (status !== 'active') await lease.nextStatus(shared, watch ? 2 : undefined);
		};
		await persistently(step, { signal });
		if (lease.over.aborted) throw lease.endedError();
		if (status === 'active' && lease.record.status === status) return checkBoard(lease.record);
	}
}

/** What a caller can rely on, whatever the service is. */
function checkBoard({ boardId, startedAt, expiresAt }: LeaseRecord) {
	if (boardId === null || startedAt === null || expiresAt === null) {
		throw invalidResponse('The response has an active lease without a board or its times');
	}
}

function watcher(tracked: TrackedLease, onProgress: (progress: LeaseProgress) => void) {
	let reported = '';
	return async (shared: Shared) => {
		const { record: lease } = tracked;
		const actions = lease.status === 'queued' ? [] : await tracked.actions(shared);
		const steps = actions.filter(({ phase }) => phase === 'prepare');
		const progress = { lease, steps };
		const text = JSON.stringify(progress);
		if (text !== reported) notify(onProgress, progress);
		reported = text;
	};
}

/** After an abort, tries only briefly. A lease that is not released ends by itself. */
async function giveBack(lease: TrackedLease, { signal, headers }: Shared) {
	if (lease.over.aborted) return;
	await lease.release({ headers, ...(signal.aborted && afterAbort) }).catch(() => {});
}
