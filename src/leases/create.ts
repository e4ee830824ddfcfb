// Creates a lease: requests it, then waits until it is active.
import { BoardAccessError } from '../errors/base.ts';
import { notify } from '../http/attempts.ts';
import { persistently } from '../http/outages.ts';
import type { Transport } from '../http/request.ts';
import { followLater } from '../http/signals.ts';
import { jsonBody } from '../records/json.ts';
import { readInput, snakeCased } from '../records/records.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';
import { joinLimits, mayBeDone, uniqueKey } from './helpers.ts';
import { leaseInputFields, listActions, requestLease, type SeenLease } from './records.ts';
import { Renewal } from './renewal.ts';
import { TrackedLease } from './tracked-lease.ts';
import type { LeaseCreateOptions, LeaseInput, LeaseProgress } from './types.ts';

const selfRenewedMinutes = 2;

/** How long an abort waits for a response that is under way, and then for the release. */
const graceMs = 1_000;
const afterAbort = { timeout: 4_000, attemptTimeout: graceMs };

type Watcher = LeaseCreateOptions['onProgress'];

/** A lease that is active, and its renewal, which began with the response to its creation. */
export async function takeBoard(
	transport: Transport,
	input: LeaseInput,
	{
		renew = true,
		onProgress,
		onRenewFailed,
		timeout,
		signal: caller,
		...options
	}: LeaseCreateOptions,
) {
	const wanted = readInput(leaseInputFields, input);
	const minutes = wanted.minutes ?? (renew ? selfRenewedMinutes : undefined);
	const json = snakeCased({ ...wanted, minutes, heartbeat: true });
	const { signal, end } = joinLimits({ signal: caller, timeout });
	try {
		const lease = await requestTracked(transport, json, { ...options, signal });
		const renewal = new Renewal(lease, onRenewFailed);
		// Also without renewal: nobody else would know of the lease if this process ended in the queue.
		renewal.start();
		await untilActive(lease, signal, onProgress).catch(async (error: unknown) => {
			renewal.stop();
			await giveBack(lease, signal);
			throw error;
		});
		if (!renew) renewal.stop();
		return { tracked: lease, renewal };
	} finally {
		end();
	}
}

async function requestTracked(
	transport: Transport,
	json: object,
	{ signal, idempotencyKey = uniqueKey(), ...options }: CreateOptions & { signal: AbortSignal },
) {
	const post = async (limits: RequestOptions) =>
		await requestLease(transport, {
			method: 'POST',
			path: '/v1/leases',
			body: jsonBody(json),
			options: { ...options, ...limits, idempotencyKey },
		});
	// A response that comes until then has the lease to release.
	const late = followLater(signal, graceMs);
	try {
		return new TrackedLease(transport, await post({ signal: late.signal }));
	} catch (error) {
		if (mayBeDone(error)) {
			const isWithdrawn = await withdraw(transport, post, signal);
			if (error instanceof BoardAccessError) error.outcome = isWithdrawn ? 'rejected' : 'unknown';
		}
		throw error;
	} finally {
		late.end();
	}
}

/**
 * Finds the lease of a creation without a response by its idempotency key, and releases it. Whether it
 * was possible; otherwise the lease ends by itself.
 */
async function withdraw(
	transport: Transport,
	post: (limits: RequestOptions) => Promise<SeenLease>,
	signal: AbortSignal,
) {
	const limits = { maxRetries: 5, ...(signal.aborted && afterAbort) };
	try {
		const lease = new TrackedLease(transport, await post(limits));
		await giveBack(lease, signal);
		return lease.over.aborted;
	} catch {
		return false;
	}
}

async function untilActive(lease: TrackedLease, signal: AbortSignal, onProgress: Watcher) {
	const watch = onProgress && watcher(lease, onProgress);
	for (;;) {
		signal.throwIfAborted();
		const { status } = lease.record;
		const step = async () => {
			await watch?.(signal);
			if (status !== 'active') await lease.nextStatus(signal, watch ? 2 : undefined);
		};
		await persistently(step, { signal });
		if (lease.over.aborted) throw lease.endedError();
		if (status === 'active' && lease.record.status === status) return;
	}
}

/** Reports what has changed since it was asked last. */
function watcher(tracked: TrackedLease, onProgress: (progress: LeaseProgress) => void) {
	let reported = '';
	return async (signal: AbortSignal) => {
		const { record: lease } = tracked;
		const actions = lease.status === 'queued' ? [] : await listActions(tracked, { signal });
		const steps = actions.filter(({ phase }) => phase === 'prepare');
		const progress = { lease, steps };
		const text = JSON.stringify(progress);
		if (text !== reported) notify(onProgress, progress);
		reported = text;
	};
}

/** After an abort only briefly: a lease that cannot be released ends by itself. */
async function giveBack(lease: TrackedLease, signal: AbortSignal) {
	if (lease.over.aborted) return;
	await lease.release(signal.aborted ? afterAbort : {}).catch(() => {});
}
