// One lease: what is known of it, and the requests about it.
import { leaseStatuses } from '../contract/lease.ts';
import { ApiError } from '../errors/errors.ts';
import { isApiError } from '../errors/guards.ts';
import { call } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import { isTemporary, persistently, startWait, waitFor } from '../http/outages.ts';
import { checkId } from '../http/path.ts';
import type { RequestFunction, Transport } from '../http/request.ts';
import { passResponse } from '../http/response.ts';
import { abortable, pause, quietTimer } from '../http/signals.ts';
import type { OwnRules } from '../settings/option-rules.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { LeaseEndedError, LeaseNotSharedError, NoBoardError } from './errors.ts';
import { joinLimits, type Limits, type Shared, uniqueKey } from './helpers.ts';
import { readAction, readSeen, type SeenLease } from './records.ts';
import type { LeaseAction, LeaseRecord } from './types.ts';

/** How long a request waits for a change, in seconds. */
const maxWait = 20;

/** Time for a request in addition to its wait. */
const requestTimeout = 15_000;

const minWait = 1_000;

/** Errors after which the lease is read again. */
const endCodes = new Set(['lease_ended', 'lease_not_active', 'lease_not_found']);

const statusOrder: readonly unknown[] = leaseStatuses;

export class TrackedLease {
	/** The id in the paths of its requests. */
	readonly ids: { id: string };
	/** The lease as it was last seen. */
	record: LeaseRecord;
	/** The identifiers of the actions that were requested by this object. */
	readonly ownActions = new Set<string>();
	/** Called with each new record. */
	onRecord: (record: LeaseRecord) => void = () => {};
	/** When the service ends the lease unless it is renewed, on the clock of `performance`. */
	endsAt = Number.POSITIVE_INFINITY;
	readonly #transport: Transport;
	#receivedAt = Number.NEGATIVE_INFINITY;
	readonly #over = new AbortController();
	readonly #isAttached: boolean;
	#endTimer: ReturnType<typeof setTimeout> | undefined;
	#ended: Promise<LeaseRecord> | undefined;

	constructor(transport: Transport, seen: SeenLease, { isAttached = false } = {}) {
		checkId(seen.record.id);
		this.#isAttached = isAttached;
		this.#transport = transport;
		this.ids = { id: seen.record.id };
		this.record = seen.record;
		this.update(seen);
	}

	get settings() {
		return this.#transport.settings;
	}

	/** Aborted when the service has said that the lease has ended. */
	get over() {
		return this.#over.signal;
	}

	/** Sends a request about the lease. */
	readonly send: RequestFunction = async (request) => {
		try {
			return await this.#transport.request({ isPatient: true, ...request });
		} catch (error) {
			// The service denies the existence of a lease that is no longer shared.
			if (this.record.access === 'hold' || !isApiError(error, 'lease_not_found')) throw error;
			throw new LeaseNotSharedError(this.record.id, error);
		}
	};

	/** The actions of the lease, oldest first. */
	async actions(options?: RequestOptions): Promise<LeaseAction[]> {
		return await createListing(this.send, {
			route: 'GET /v1/leases/{id}/actions',
			ids: this.ids,
			filters: {},
			read: readAction,
			options,
		});
	}

	/** Takes over a response, unless it is outdated. */
	update(seen: SeenLease) {
		const { sentAt, endsAt } = seen;
		let { record } = seen;
		passResponse(seen, record);
		const isOlder = isFurther(this.record, record.status);
		// Responses to overlapping requests can arrive in any order.
		if (this.over.aborted || (isOlder && sentAt < this.#receivedAt)) return;
		this.#receivedAt = performance.now();
		if (isAnotherStart(this.record, record)) record = this.#startedOver(record);
		this.record = record;
		// A lease is never shortened, so the later time is closer.
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
		return this.#isAttached ? await this.actions({ maxRetries: 5, ...options }) : [];
	}

	/** Takes over the lease that a request reads. */
	async see(request: Promise<SeenLease>) {
		try {
			const seen = await request;
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

	/** Reads the lease; with `unless`, as soon as it has another status. */
	async refresh(options?: RequestOptions, unless?: { status: string | undefined; wait: number }) {
		const timeout = unless && { timeout: requestTimeout + unless.wait * 1000 };
		const { ids } = this;
		const wanted = { ids, query: { ...unless }, options: { ...timeout, ...options } };
		return await this.see(call(this.send, 'GET /v1/leases/{id}', { ...wanted, read: readSeen }));
	}

	/** Reads the lease once the service has all console output until now, or knows that some is missing. */
	async syncConsole({ signal, headers }: RequestOptions) {
		// The service waits 5 seconds for the agent.
		const options = { signal, headers, timeout: 8_000, idempotencyKey: uniqueKey() };
		const route = 'POST /v1/leases/{id}/console/sync';
		return await this.see(call(this.send, route, { ids: this.ids, options, read: readSeen }));
	}

	/** Resolves when the lease has another status, or after a while. */
	async nextStatus({ signal, headers }: Shared, wait = maxWait) {
		const { status } = this.record;
		const pauseIfEarly = startWait(signal);
		await this.refresh({ signal, headers }, { status: status ?? undefined, wait });
		// Other changes than of the status must not make the requests follow each other at once.
		if (!isFurther(this.record, status)) await pauseIfEarly();
	}

	/** The last record. From the first use on, a connection waits for it. */
	get ended() {
		this.#ended ??= this.#untilEnd();
		return this.#ended;
	}

	async release(options?: RequestOptions) {
		const { ids } = this;
		await this.see(call(this.send, 'DELETE /v1/leases/{id}', { ids, options, read: readSeen }));
	}

	/** Does work that ends with the lease at the latest. */
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

	/** Repeats work through an outage, for a minute and as long as the lease may last. */
	async insist<Result>(work: () => Promise<Result>, signal: AbortSignal) {
		const until = () => (Number.isFinite(this.endsAt) ? this.endsAt : 0);
		return await persistently(work, { until, signal });
	}

	/** The error to throw: if the lease has ended, that of its end. */
	async explain(error: unknown, signal?: AbortSignal) {
		if (error instanceof ApiError && endCodes.has(error.code)) {
			await this.refresh({ signal }).catch(() => {});
		}
		return this.over.aborted ? this.endedError() : error;
	}

	/** Releases a lease that a restored backup has begun again: its board is not the same. */
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
				// A lasting failure, such as a revoked key, must not keep the process alive.
				const timer = isTemporary(error) ? setTimeout : quietTimer;
				await pause(waitFor(error, ++failures), this.over, timer).catch(() => {}); // it has ended
			}
		}
		return this.record;
	}

	/** Asks the service at the known end, because the lease may have been renewed elsewhere. */
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
			if (this.endsAt > performance.now()) this.#expectEnd();
			else this.#askIn(waitFor(error, failures + 1), failures + 1);
		}
	}
}

function isFurther({ status }: LeaseRecord, than: LeaseRecord['status']) {
	return statusOrder.indexOf(status) > statusOrder.indexOf(than);
}

function endedBy(endReason: string, record: LeaseRecord, endMessage: string): LeaseRecord {
	return { ...record, status: 'ended', endReason, endMessage };
}

function isAnotherStart({ startedAt: known }: LeaseRecord, { startedAt, status }: LeaseRecord) {
	return known && startedAt !== undefined && startedAt !== known && status !== 'ended';
}
