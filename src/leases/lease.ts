// A lease: combines the record, the actions, the console and the renewal.

import type { Transport } from '../http/request.ts';
import { rememberResponse, responseOf } from '../http/response-info.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { Actions } from './actions.ts';
import { BoardConsole } from './console/console.ts';
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
	readonly #console: BoardConsole;
	readonly #actions: Actions;

	constructor(lease: TrackedLease, renewal: Renewal) {
		this.#lease = lease;
		this.#renewal = renewal;
		this.#console = new BoardConsole(lease);
		this.#actions = new Actions(lease, this.#console);
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

	async flash(firmware: Firmware, options?: FlashOptions) {
		return await this.#actions.flash(firmware, options);
	}

	async erase(options?: ActionOptions) {
		return await this.#actions.carryOut('erase', options);
	}

	async reset(options?: ActionOptions) {
		return await this.#actions.carryOut('reset', options);
	}

	async power(state: 'on' | 'off' | 'cycle', options?: ActionOptions) {
		return await this.#actions.carryOut(`power_${state}`, options);
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
