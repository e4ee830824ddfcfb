// What is known of one lease, and the requests about it: all that its parts have in common.
import { ApiError, TimeoutError } from '../../errors.ts';
import { LeaseEndedError } from '../../lease-errors.ts';
import type { LeaseRecord } from '../../leases.ts';
import type { Transport } from '../request.ts';
import { type RequestOptions, readTimeout } from '../settings.ts';
import { abortable, joinSignals, persistently } from '../time.ts';
import { listActions } from './actions.ts';
import { leasePath, readLease } from './records.ts';

/** The longest that a request waits for a change, in seconds. */
const longestWait = 20;

/** Time for a request in addition to the time it waits for a change. */
const requestTimeout = 15_000;

/** What can end work early. */
interface Limits {
	signal?: AbortSignal | undefined;
	timeout?: number | undefined;
}

export class LeaseSession {
	readonly transport: Transport;
	readonly path: string;
	/** The lease as it was last seen. */
	record: LeaseRecord;
	/** Called with each new record. */
	onRecord: (record: LeaseRecord) => void = () => {};
	/** When the service ends the lease by itself at the latest, by this machine's own clock. */
	endsAt = 0;
	readonly #over = new AbortController();
	readonly #isAttached: boolean;

	constructor(transport: Transport, record: LeaseRecord, { isAttached = false } = {}) {
		this.#isAttached = isAttached;
		this.transport = transport;
		this.path = leasePath(record.id);
		this.record = record;
		this.endsAt = performance.now() + millisecondsLeft(record);
		this.update(record);
	}

	/** Aborted when the lease has ended. */
	get over() {
		return this.#over.signal;
	}

	update(record: LeaseRecord) {
		if (this.over.aborted) return;
		this.record = record;
		this.onRecord(record);
		if (record.status === 'ended') this.#over.abort(this.endedError());
	}

	/** A new error for each caller, so that each has its own stack. */
	endedError() {
		const { id, endReason, endMessage } = this.record;
		const reason = endReason ?? 'expired';
		const message = `The lease ${id} has ended: ${endMessage || reason}`;
		return new LeaseEndedError(message, { leaseId: id, reason });
	}

	/** Declares the lease expired although the service could not be asked. */
	expire() {
		this.update({
			...this.record,
			status: 'ended',
			endReason: 'expired',
			endMessage: 'The lease could not be renewed in time.',
		});
	}

	/** Where the output of the last action begins that was done before this process knew the lease. */
	async lastActionOffset(signal?: AbortSignal) {
		if (!this.#isAttached) return 0;
		const actions = await listActions(this, { signal });
		const done = actions.filter(({ status }) => status === 'done');
		return Math.max(0, ...done.map(({ consoleOffset }) => consoleOffset ?? 0));
	}

	/** Reads the lease; with a status, as soon as it has another one. */
	async refresh(options?: RequestOptions, unless?: { status: string; wait?: number }) {
		const wait = unless && (unless.wait ?? longestWait);
		const record = await this.transport.request({
			method: 'GET',
			path: this.path,
			query: { wait, status: unless?.status },
			options: { timeout: requestTimeout + (wait ?? 0) * 1000, ...options },
			read: (body) => readLease(body),
		});
		this.update(record);
	}

	async release(options?: RequestOptions) {
		const record = await this.transport.request({
			method: 'DELETE',
			path: this.path,
			options,
			read: (body) => (body === undefined ? released(this.record) : readLease(body)),
		});
		this.update(record);
	}

	/** Work on the active lease: ends with the lease, with the caller's signal, or by itself. */
	async during<Result>(
		work: (signal: AbortSignal) => Promise<Result>,
		{ signal: caller, timeout }: Limits = {},
	): Promise<Result> {
		caller?.throwIfAborted();
		const joined = joinSignals(caller, this.over);
		const timer =
			timeout === undefined
				? undefined
				: setTimeout(() => joined.abort(new TimeoutError(timeout)), readTimeout(timeout));
		try {
			return await abortable(work(joined.signal), joined.signal);
		} catch (error) {
			caller?.throwIfAborted();
			throw await this.explain(error);
		} finally {
			clearTimeout(timer);
			joined.detach();
		}
	}

	/** Work that is repeated until it succeeds or the lease must have ended. */
	async insist<Result>(work: () => Promise<Result>, signal: AbortSignal) {
		return await persistently(work, { until: () => this.endsAt, signal });
	}

	/** The error to throw: that of the end of the lease, if the lease has ended. */
	async explain(error: unknown) {
		if (error instanceof ApiError && ['lease_ended', 'lease_not_active'].includes(error.code)) {
			await this.refresh().catch(() => {});
		}
		return this.over.aborted ? this.endedError() : error;
	}
}

function released(record: LeaseRecord): LeaseRecord {
	return { ...record, status: 'ended', endReason: 'released' };
}

/** At most: the clock of this machine may be wrong. */
function millisecondsLeft({ minutes, expiresAt }: LeaseRecord) {
	return Math.max((minutes ?? 0) * 60_000, Date.parse(expiresAt ?? '') - Date.now() || 0);
}
