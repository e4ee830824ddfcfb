// Creates a lease: requests it, then waits until it is active.
import { TimeoutError } from '../../errors.ts';
import type { LeaseCreateOptions, LeaseInput, LeaseProgress } from '../../leases.ts';
import { jsonBody } from '../json-body.ts';
import { readInput, snakeCased } from '../records.ts';
import type { Transport } from '../request.ts';
import { type RequestOptions, readTimeout } from '../settings.ts';
import { joinSignals, persistently } from '../time.ts';
import { listActions } from './actions.ts';
import { report, uniqueKey } from './helpers.ts';
import { leaseInputFields, readLease } from './records.ts';
import { LeaseSession } from './session.ts';

const selfRenewedMinutes = 2;

/** How long an abort waits for the response that says what to release, and for the release. */
const releaseTimeout = 5_000;

/** How long to wait for the lease without a response before giving up. */
const patience = 60_000;

type Watcher = LeaseCreateOptions['onProgress'];

/** The session of a lease that is active. */
export async function takeBoard(
	transport: Transport,
	input: LeaseInput,
	{ renew = true, onProgress, timeout, signal: caller, ...options }: LeaseCreateOptions,
): Promise<LeaseSession> {
	const wanted = readInput(leaseInputFields, input);
	const minutes = wanted.minutes ?? (renew ? selfRenewedMinutes : undefined);
	const json = snakeCased({ ...wanted, minutes });
	caller?.throwIfAborted();
	const { signal, abort, detach } = joinSignals(caller);
	const timer = timeout && setTimeout(() => abort(new TimeoutError(timeout)), readTimeout(timeout));
	try {
		const session = await requestLease(transport, json, { ...options, signal });
		await untilActive(session, signal, onProgress).catch(async (error: unknown) => {
			await giveBack(session);
			throw error;
		});
		return session;
	} finally {
		clearTimeout(timer);
		detach();
	}
}

/** An abort allows it some time, because only the response has the id of the lease to release. */
async function requestLease(
	transport: Transport,
	json: object,
	{ signal, ...options }: RequestOptions & { signal: AbortSignal },
) {
	const late = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const onAbort = () => {
		timer = setTimeout(() => late.abort(signal.reason), releaseTimeout);
	};
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		const record = await transport.request({
			method: 'POST',
			path: '/v1/leases',
			body: jsonBody(json),
			options: { idempotencyKey: uniqueKey(), ...options, signal: late.signal },
			read: (body) => readLease(body),
		});
		return new LeaseSession(transport, record);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', onAbort);
	}
}

async function untilActive(session: LeaseSession, signal: AbortSignal, onProgress: Watcher) {
	const watch = onProgress && watcher(session, onProgress);
	for (;;) {
		signal.throwIfAborted();
		const giveUpAt = performance.now() + patience;
		const { status } = session.record;
		const step = async () => {
			await watch?.(signal);
			if (status !== 'queued' && status !== 'preparing') return;
			await session.refresh({ signal }, { status, wait: watch ? 2 : 20 });
		};
		await persistently(step, { until: () => giveUpAt, signal });
		if (session.over.aborted) throw session.endedError();
		if (status === session.record.status && status === 'active') return;
	}
}

/** Reports what has changed since it was asked last. */
function watcher(session: LeaseSession, onProgress: (progress: LeaseProgress) => void) {
	let reported = '';
	return async (signal: AbortSignal) => {
		const { record: lease } = session;
		const actions = lease.status === 'queued' ? [] : await listActions(session, { signal });
		const steps = actions.filter(({ phase }) => phase === 'prepare');
		const progress = { lease, steps };
		const text = JSON.stringify(progress);
		if (text !== reported) report(onProgress, progress);
		reported = text;
	};
}

/** Waits only briefly: a lease that cannot be released expires by itself. */
async function giveBack(session: LeaseSession) {
	if (session.over.aborted) return;
	await session.release({ timeout: releaseTimeout }).catch(() => {});
}
