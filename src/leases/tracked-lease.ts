// What is known of one lease, and the requests about it: all that its parts have in common.
import { leaseStatuses } from '../contract/lease.ts';
import { ApiError } from '../errors/errors.ts';
import { isApiError } from '../errors/guards.ts';
import { isTemporary, persistently, startWait, waitFor } from '../http/outages.ts';
import type { ApiCall, ApiRequest, Transport } from '../http/request.ts';
import { abortable, pause, quietTimer } from '../http/signals.ts';
import type { OwnRules } from '../settings/option-rules.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { LeaseEndedError, LeaseNotSharedError, NoBoardError } from './errors.ts';
import { joinLimits, type Limits, type Shared, uniqueKey } from './helpers.ts';
import { leasePath, listActions, requestLease, type SeenLease } from './records.ts';
import type { LeaseRecord } from './types.ts';

/** The longest that a request waits for a change, in seconds. */
const maxWait = 20;

/** Time for a request in addition to the time it waits for a change. */
const requestTimeout = 15_000;

/** How often to ask whether the lease has ended. */
const minWait = 1_000;

/** Errors after which the lease is read, because it may have ended. */
const endCodes = new Set(['lease_ended', 'lease_not_active', 'lease_not_found']);

const statusOrder: readonly unknown[] = leaseStatuses;

export class TrackedLease {
	readonly transport: Transport;
	readonly path: string;
	/** The lease as it was last seen. */
	record: LeaseRecord;
	/** The identifiers of the actions that were requested by this object. */
	readonly ownActions = new Set<string>();
	/** Called with each new record. */
	onRecord: (record: LeaseRecord) => void = () => {};
	/** When the service ends the lease unless it is renewed, by this machine's own clock. */
	endsAt = Number.POSITIVE_INFINITY;
	#receivedAt = Number.NEGATIVE_INFINITY;
	readonly #over = new AbortController();
	readonly #isAttached: boolean;
	#endTimer: ReturnType<typeof setTimeout> | undefined;
	#ended: Promise<LeaseRecord> | undefined;

	constructor(transport: Transport, seen: SeenLease, { isAttached = false } = {}) {
		this.#isAttached = isAttached;
		this.transport = { ...transport, request: (call) => this.#send(transport, call) };
		this.path = leasePath(seen.record.id);
		this.record = seen.record;
		this.update(seen);
	}

	/** Aborted when the service has said that the lease has ended. */
	get over() {
		return this.#over.signal;
	}

	/** What every request about the lease goes through. Of one that is not shared, the service says that it does not exist. */
	async #send<Result>({ request }: Transport, call: ApiRequest<Result>) {
		try {
			return await request(call);
		} catch (error) {
			if (this.record.access === 'hold' || !isApiError(error, 'lease_not_found')) throw error;
			throw new LeaseNotSharedError(this.record.id, error);
		}
	}

	/** What every response about the lease goes through. */
	update({ record, sentAt, endsAt }: SeenLease) {
		const isOlder = isFurther(this.record, record.status);
		// Of two responses to overlapping requests, the one that is further is newer.
		if (this.over.aborted || (isOlder && sentAt < this.#receivedAt)) return;
		this.#receivedAt = performance.now();
		if (isAnotherStart(this.record, record)) record = this.#startedOver(record);
		this.record = record;
		// No lease is ever shortened, so of two times that are not too late the later one is closer.
		this.endsAt = Number.isFinite(this.endsAt) ? Math.max(this.endsAt, endsAt) : endsAt;
		this.onRecord(record);
		clearTimeout(this.#endTimer);
		if (record.status === 'ended') this.#over.abort(this.endedError());
		else this.#expectEnd();
	}

	/** A new error for each caller, so that each has its own stack. */
	endedError() {
		const { id, endReason, endMessage } = this.record;
		const reason = endReason ?? 'expired';
		const why = endMessage || reason;
		if (reason === 'no_board') return new NoBoardError({ message: why, leaseId: id });
		return new LeaseEndedError(`The lease ${id} has ended: ${why}`, { leaseId: id, reason });
	}

	/** The actions that may have been requested before this process knew the lease. */
	async earlierActions(options: RequestOptions) {
		return this.#isAttached ? await listActions(this, { maxRetries: 5, ...options }) : [];
	}

	/** A request below the path of the lease whose response is the lease. */
	async request({ path, ...call }: ApiCall) {
		try {
			const seen = await requestLease(this.transport, { ...call, path: this.path + path });
			this.update(seen);
			return seen.record;
		} catch (error) {
			if (!isApiError(error, 'lease_not_found')) throw error;
			const message = 'The service no longer knows this lease.';
			const record = endedBy('lease_not_found', this.record, message);
			this.update({ record, sentAt: 0, endsAt: 0 });
			return this.record;
		}
	}

	/** Reads the lease; with a status, as soon as it has another one. */
	async refresh(options?: RequestOptions, unless?: { status: string | undefined; wait: number }) {
		const timeout = unless && { timeout: requestTimeout + unless.wait * 1000 };
		return await this.request({
			method: 'GET',
			path: '',
			query: { ...unless },
			options: { ...timeout, ...options },
		});
	}

	/** Reads the lease once the service has all console output until now, or knows that it has not. */
	async syncConsole({ signal, headers }: RequestOptions) {
		// The service waits 5 seconds for the agent.
		const options = { signal, headers, timeout: 8_000, idempotencyKey: uniqueKey() };
		return await this.request({ method: 'POST', path: '/console/sync', options });
	}

	/** Resolves when the lease has another status, or after a while. */
	async nextStatus({ signal, headers }: Shared, wait = maxWait) {
		const { status } = this.record;
		const pauseIfEarly = startWait(signal);
		await this.refresh({ signal, headers }, { status: status ?? undefined, wait });
		// A lease moves on only a few times: other changes cannot make the requests follow each other at once.
		if (!isFurther(this.record, status)) await pauseIfEarly();
	}

	/** The record of the end; a connection waits for it from the first use on. */
	get ended() {
		this.#ended ??= this.#untilEnd();
		return this.#ended;
	}

	async release(options?: RequestOptions) {
		await this.request({ method: 'DELETE', path: '', options });
	}

	/** Work on the active lease: ends with the lease, with the caller's signal, or by itself. */
	async during<Result, Options extends Limits>(
		work: (signal: AbortSignal) => Promise<Result>,
		limits: Options,
		own?: OwnRules<Options>,
	): Promise<Result> {
		const { signal, end } = joinLimits(limits, own, this.over);
		try {
			return await abortable(work(signal), signal);
		} catch (error) {
			limits.signal?.throwIfAborted();
			throw await this.explain(error, limits.signal);
		} finally {
			end();
		}
	}

	/** Work that is repeated through an outage: for a minute, and as long as the lease may live. */
	async insist<Result>(work: () => Promise<Result>, signal: AbortSignal) {
		const until = () => (Number.isFinite(this.endsAt) ? this.endsAt : 0);
		return await persistently(work, { until, signal });
	}

	/** The error to throw: that of the end of the lease, if the lease has ended. */
	async explain(error: unknown, signal?: AbortSignal) {
		if (error instanceof ApiError && endCodes.has(error.code)) {
			await this.refresh({ signal }).catch(() => {});
		}
		return this.over.aborted ? this.endedError() : error;
	}

	/** After a backup was restored, a lease gets a board again, without what was done: it is of no use. */
	#startedOver(record: LeaseRecord) {
		void this.insist(() => this.release(), new AbortController().signal).catch(() => {});
		const message = 'The service was restored from a backup, and has begun the lease again.';
		return endedBy('agent_lost', record, message);
	}

	async #untilEnd() {
		for (let failures = 0; !this.over.aborted; ) {
			try {
				await this.nextStatus({ signal: this.over });
				failures = 0;
			} catch (error) {
				// What lasts, as a revoked key does, does not keep the process alive.
				const timer = isTemporary(error) ? setTimeout : quietTimer;
				await pause(waitFor(error, ++failures), this.over, timer).catch(() => {}); // it has ended
			}
		}
		return this.record;
	}

	/** Only the service knows whether the lease was renewed elsewhere: it is asked at the known end. */
	#expectEnd() {
		this.#askIn(Math.max(this.endsAt - performance.now(), minWait));
	}

	#askIn(milliseconds: number, failures = 0) {
		this.#endTimer = quietTimer(() => void this.#ask(failures), milliseconds);
	}

	async #ask(failures: number) {
		this.onRecord({ ...this.record, status: 'unknown' });
		try {
			await this.refresh({ maxRetries: 0 });
		} catch (error) {
			if (this.over.aborted) return;
			clearTimeout(this.#endTimer);
			// It may have been renewed meanwhile.
			if (this.endsAt > performance.now()) this.#expectEnd();
			else this.#askIn(waitFor(error, failures + 1), failures + 1);
		}
	}
}

function isFurther({ status }: LeaseRecord, than: LeaseRecord['status']) {
	return statusOrder.indexOf(status) > statusOrder.indexOf(than);
}

/** The end of a lease that a service restored from an older backup knows nothing of. */
function endedBy(endReason: string, record: LeaseRecord, endMessage: string): LeaseRecord {
	return { ...record, status: 'ended', endReason, endMessage };
}

function isAnotherStart({ startedAt: known }: LeaseRecord, { startedAt, status }: LeaseRecord) {
	return known && startedAt !== undefined && startedAt !== known && status !== 'ended';
}
