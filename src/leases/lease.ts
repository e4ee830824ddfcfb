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
import { LeaseSession } from './session.ts';
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
	const { session, renewal } = await takeBoard(transport, input, options);
	return leaseOf(session, renewal);
}

export async function getLease(
	transport: Transport,
	id: string,
	{ renew = false, onRenewFailed, ...options }: LeaseAttachOptions = {},
): Promise<Lease> {
	const seen = await requestLease(transport, { method: 'GET', path: leasePath(id), options });
	const session = new LeaseSession(transport, seen, { isAttached: true });
	const renewal = new Renewal(session, onRenewFailed);
	if (renew) renewal.start();
	return leaseOf(session, renewal);
}

function leaseOf(session: LeaseSession, renewal: Renewal): Lease {
	const lease = Object.assign(new HeldLease(session, renewal), session.record);
	session.onRecord = (record) => {
		Object.assign(lease, record);
		const response = responseOf(record);
		if (response) rememberResponse(lease, response);
	};
	session.onRecord(session.record);
	return lease;
}

/** Its fields are those of the record, so that printing it shows the lease. */
class HeldLease implements Pick<Lease, Exclude<keyof Lease, keyof LeaseSession['record']>> {
	readonly #session: LeaseSession;
	readonly #renewal: Renewal;
	readonly #console: BoardConsole;
	readonly #actions: Actions;

	constructor(session: LeaseSession, renewal: Renewal) {
		this.#session = session;
		this.#renewal = renewal;
		this.#console = new BoardConsole(session);
		this.#actions = new Actions(session, this.#console);
	}

	get console() {
		return this.#console;
	}

	get signal() {
		void this.#session.ended; // from now on, the end is waited for
		return this.#session.over;
	}

	get ended() {
		return this.#session.ended;
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
		return await listActions(this.#session, options);
	}

	async refresh(options?: RequestOptions) {
		await this.#session.refresh(options);
		return this.#session.record;
	}

	async renew({ minutes }: { minutes?: number | undefined } = {}, options?: RequestOptions) {
		const renew = (signal: AbortSignal) =>
			this.#renewal.renew(minutes, { ...options, signal, idempotencyKey: uniqueKey() });
		await this.#session.during(renew, { signal: options?.signal });
		return this.#session.record;
	}

	async release(options?: RequestOptions) {
		this.#renewal.stop();
		if (!this.#session.over.aborted) await this.#session.release(options);
		return this.#session.record;
	}

	async [Symbol.asyncDispose]() {
		await this.release().catch(() => {});
	}
}
