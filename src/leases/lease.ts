// A lease: combines the record, the actions, the console and the renewal.

import type { Transport } from '../http/request.ts';
import { rememberResponse, responseOf } from '../http/response-info.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { carryOut, flash } from './actions.ts';
import { BoardConsole } from './console/console.ts';
import { Expectations } from './console/expectations.ts';
import { ConsoleFeed } from './console/feed.ts';
import { takeBoard } from './create.ts';
import { uniqueKey } from './helpers.ts';
import { leasePath, listActions, requestLease } from './records.ts';
import { Renewal } from './renewal.ts';
import { TrackedLease } from './tracked-lease.ts';
import type {
	ActionOptions,
	Firmware,
	FlashOptions,
	Lease,
	LeaseAction,
	LeaseAttachOptions,
	LeaseCreateOptions,
	LeaseInput,
} from './types.ts';

export async function createLease(
	transport: Transport,
	input: LeaseInput,
	options: LeaseCreateOptions,
): Promise<Lease> {
	const { tracked, renewal } = await takeBoard(transport, input, options);
	return leaseOf(tracked, renewal);
}

export async function getLease(
	transport: Transport,
	id: string,
	{ renew = false, onRenewFailed, ...options }: LeaseAttachOptions = {},
): Promise<Lease> {
	const seen = await requestLease(transport, { method: 'GET', path: leasePath(id), options });
	const tracked = new TrackedLease(transport, seen, { isAttached: true });
	const renewal = new Renewal(tracked, onRenewFailed);
	if (renew) renewal.start();
	return leaseOf(tracked, renewal);
}

function leaseOf(tracked: TrackedLease, renewal: Renewal): Lease {
	const lease = Object.assign(new HeldLease(tracked, renewal), tracked.record);
	tracked.onRecord = (record) => {
		Object.assign(lease, record);
		const response = responseOf(record);
		if (response) rememberResponse(lease, response);
	};
	tracked.onRecord(tracked.record);
	return lease;
}

/** Its fields are those of the record, so that printing it shows the lease. */
class HeldLease implements Pick<Lease, Exclude<keyof Lease, keyof TrackedLease['record']>> {
	readonly #lease: TrackedLease;
	readonly #renewal: Renewal;
	readonly #expectations: Expectations;
	readonly #console: BoardConsole;

	constructor(lease: TrackedLease, renewal: Renewal) {
		this.#lease = lease;
		this.#renewal = renewal;
		const feed = new ConsoleFeed(lease);
		this.#expectations = new Expectations(lease, feed);
		this.#console = new BoardConsole(lease, feed, this.#expectations);
	}

	get console() {
		return this.#console;
	}

	get signal() {
		void this.#lease.ended; // from now on, the end is waited for
		return this.#lease.over;
	}

	get ended() {
		return this.#lease.ended;
	}

	async flash(firmware: Firmware, options: FlashOptions = {}) {
		return await this.#act(
			async (signal) => await flash(this.#lease, firmware, { ...options, signal }),
			options,
		);
	}

	async erase(options?: ActionOptions) {
		return await this.#act((signal) => carryOut(this.#lease, { action: 'erase' }, signal), options);
	}

	async reset(options?: ActionOptions) {
		return await this.#act((signal) => carryOut(this.#lease, { action: 'reset' }, signal), options);
	}

	async power(state: 'on' | 'off' | 'cycle', options?: ActionOptions) {
		const action = `power_${state}` as const;
		return await this.#act((signal) => carryOut(this.#lease, { action }, signal), options);
	}

	/** An expectation after an action must not match what was shown before its output. */
	async #act(work: (signal: AbortSignal) => Promise<LeaseAction>, options?: ActionOptions) {
		const action = this.#lease.during(async (signal) => {
			const done = await work(signal);
			this.#expectations.startAt(done.consoleOffset);
			return done;
		}, options);
		return await this.#expectations.pausedDuring(action);
	}

	async actions(options?: RequestOptions) {
		return await listActions(this.#lease, options);
	}

	async refresh(options?: RequestOptions) {
		await this.#lease.refresh(options);
		return this.#lease.record;
	}

	async renew({ minutes }: { minutes?: number | undefined } = {}, options?: RequestOptions) {
		const renew = (signal: AbortSignal) =>
			this.#renewal.renew(minutes, { ...options, signal, idempotencyKey: uniqueKey() });
		await this.#lease.during(renew, { signal: options?.signal });
		return this.#lease.record;
	}

	async release(options?: RequestOptions) {
		this.#renewal.stop();
		if (!this.#lease.over.aborted) await this.#lease.release(options);
		return this.#lease.record;
	}

	async [Symbol.asyncDispose]() {
		await this.release().catch(() => {});
	}
}
