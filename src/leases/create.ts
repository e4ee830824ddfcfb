// Creates a lease or a group of leases: requests it, then waits until it is active.
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
import { readGroupInput, readLeaseInput } from './input.ts';
import { leaseOf } from './lease.ts';
import { readSeen, readSeenGroup, type SeenLease } from './records.ts';
import { Renewal } from './renewal.ts';
import { TrackedLease } from './tracked-lease.ts';
import type {
	Lease,
	LeaseCreateOptions,
	LeaseGroup,
	LeaseGroupTerms,
	LeaseInput,
	LeaseProgress,
	LeaseRecord,
	WantedBoard,
} from './types.ts';

const selfRenewedMinutes = 2;

/** How long an abort waits for a pending response, and then for the release. */
const graceMs = 1_000;
const afterAbort = { timeout: 4_000, attemptTimeout: graceMs };

type Watcher = LeaseCreateOptions['onProgress'];

/** What is requested: a lease or a group of leases, and how the request is sent. */
interface Wanted {
	terms: { minutes?: number | undefined; waitSeconds?: number | undefined };
	post: (json: object, options: CreateOptions) => Promise<SeenLease[]>;
}

export async function createLease(
	transport: Transport,
	input: LeaseInput,
	options?: LeaseCreateOptions,
): Promise<Lease> {
	const { request } = transport;
	const post: Wanted['post'] = async (json, options) => [
		await call(request, 'POST /v1/leases', { json, isPatient: true, options, read: readSeen }),
	];
	const [lease] = await take(transport, { terms: readLeaseInput(input), post }, options);
	return lease;
}

export async function createGroup<Role extends string>(
	transport: Transport,
	boards: Readonly<Record<Role, WantedBoard>>,
	terms?: LeaseGroupTerms,
	options?: LeaseCreateOptions,
): Promise<LeaseGroup<Role>> {
	const { request } = transport;
	const post: Wanted['post'] = async (json, options) => {
		const read = readSeenGroup;
		const shared = { json, isPatient: true, options, read };
		const leases = await call(request, 'POST /v1/lease-groups', shared);
		const roles = leases.map(({ record }) => record.role).toSorted();
		if (roles.join() === Object.keys(boards).toSorted().join()) return leases;
		await Promise.allSettled(leases.map((lease) => new TrackedLease(transport, lease).release()));
		throw invalidResponse('The leases of the response have other roles than those requested');
	};
	const leases = await take(transport, { terms: readGroupInput(boards, terms), post }, options);
	const release = async (options?: RequestOptions) => {
		await Promise.all(leases.map((lease) => lease.release(options)));
	};
	// As a prototype, so that the entries of the group are its leases.
	const methods = { release, [Symbol.asyncDispose]: () => release().catch(() => {}) };
	const roles = leases.map((lease) => [lease.role, lease]);
	// The service has granted each role.
	return Object.assign(Object.create(methods), Object.fromEntries(roles)) as LeaseGroup<Role>;
}

/** Its leases are renewed also with `renew: false` while they wait, so that they end with this process. */
async function take(
	transport: Transport,
	{ terms, post }: Wanted,
	given?: LeaseCreateOptions,
): Promise<[Lease, ...Lease[]]> {
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
	const minutes = terms.minutes ?? (renew ? selfRenewedMinutes : undefined);
	const { signal, end } = joinLimits({ signal: caller, timeout });
	try {
		const request = (waitSeconds: number | undefined) => {
			// With a key of the caller, another process must be able to send the same request.
			const rest = options.idempotencyKey === undefined ? { waitSeconds } : {};
			const json = snakeCased({ ...terms, minutes, heartbeat: true, ...rest });
			const send = (limits: CreateOptions) => post(json, limits);
			return requestTracked(transport, send, { ...options, signal });
		};
		const place = { waitSeconds: terms.waitSeconds, signal, onLeaseLimit };
		const leases = await untilPlace(request, place);
		const renewals = leases.map(
			(lease, at) => new Renewal(lease, at === 0 ? onRenewFailed : undefined),
		);
		for (const renewal of renewals) renewal.start();
		try {
			await untilActive(leases, { signal, headers }, onProgress);
		} catch (error) {
			for (const renewal of renewals) renewal.stop();
			await giveBack(leases[0], { signal, headers });
			throw error;
		}
		if (!renew) for (const renewal of renewals) renewal.stop();
		return renewals.map(leaseOf) as [Lease, ...Lease[]]; // they are active, so they have boards
	} finally {
		end();
	}
}

const placePauseMs = 2_000;

/** Those of a group wait, end and are released together. */
type TrackedLeases = [TrackedLease, ...TrackedLease[]];

interface PlaceWait extends Pick<Shared, 'signal'>, Pick<LeaseCreateOptions, 'onLeaseLimit'> {
	waitSeconds: number | undefined;
}

/** Waits while the account has as many leases as it may. The time that is left is for the queue. */
async function untilPlace(
	request: (waitSeconds: number | undefined) => Promise<TrackedLeases>,
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
	send: (options: CreateOptions) => Promise<SeenLease[]>,
	{ signal, idempotencyKey = uniqueKey(), ...options }: CreateOptions & Shared,
) {
	const post = async (limits: RequestOptions) => {
		const seen = await send({ ...options, ...limits, idempotencyKey });
		return seen.map((lease) => new TrackedLease(transport, lease)) as TrackedLeases; // at least one
	};
	// A response that arrives by then names the lease to release.
	const late = followLater(signal, graceMs);
	try {
		return await post({ signal: late.signal });
	} catch (error) {
		if (mayBeDone(error)) {
			const isWithdrawn = await withdraw(post, { signal, headers: options.headers });
			if (error instanceof BoardAccessError) error.outcome = isWithdrawn ? 'rejected' : 'unknown';
		}
		throw isApiError(error, 'no_board_available') ? new NoBoardError(error) : error;
	} finally {
		late.end();
	}
}

/** Releases the lease of a creation without a response. Returns whether it has ended. */
async function withdraw(post: (limits: RequestOptions) => Promise<TrackedLeases>, shared: Shared) {
	const limits = { maxRetries: 5, ...(shared.signal.aborted && afterAbort) };
	try {
		const [lease] = await post(limits);
		await giveBack(lease, shared);
		return lease.over.aborted;
	} catch {
		return false;
	}
}

async function untilActive([lease, ...others]: TrackedLeases, shared: Shared, onProgress: Watcher) {
	const { signal } = shared;
	const watches = onProgress ? [lease, ...others].map((each) => watcher(each, onProgress)) : [];
	for (;;) {
		signal.throwIfAborted();
		const { status } = lease.record;
		const step = async () => {
			for (const watch of watches) await watch(shared);
			if (status !== 'active') await lease.nextStatus(shared, onProgress ? 2 : undefined);
			if (!onProgress && lease.record.status !== 'active') return;
			for (const other of others) await other.refresh(shared);
		};
		await persistently(step, { signal });
		if (lease.over.aborted) throw lease.endedError();
		if (status !== 'active' || lease.record.status !== status) continue;
		for (const { record } of [lease, ...others]) checkBoard(record);
		return;
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
