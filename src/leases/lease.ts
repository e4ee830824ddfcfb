// A lease: combines the record, the actions, the console and the renewal.

import { keepCallers } from '../errors/caller.ts';
import { InputError } from '../errors/errors.ts';
import type { Transport } from '../http/request.ts';
import { rememberResponse, responseOf } from '../http/response.ts';
import {
	callback,
	flag,
	type OwnRules,
	ofType,
	readCallOptions,
	readWorkOptions,
} from '../settings/option-rules.ts';
import type { RequestOptions } from '../settings/settings.ts';
import { carryOut, drivePin, flash, type WantedAction } from './actions.ts';
import { BoardConsole } from './console/console.ts';
import { Expectations } from './console/expectations.ts';
import { ConsoleFeed } from './console/feed.ts';
import { takeBoard } from './create.ts';
import { uniqueKey } from './helpers.ts';
import { readRenewal } from './input.ts';
import { leasePath, listActions, requestLease } from './records.ts';
import { Renewal } from './renewal.ts';
import { type Parts, runScenario } from './scenario.ts';
import type { ScenarioOptions, ScenarioStep } from './scenario-types.ts';
import { leave, listShares, share, unshare } from './shares.ts';
import { TrackedLease } from './tracked-lease.ts';
import type {
	ActionOptions,
	AnyLease,
	Firmware,
	FlashOptions,
	Lease,
	LeaseAction,
	LeaseAttachOptions,
	LeaseCreateOptions,
	LeaseDuration,
	LeaseInput,
} from './types.ts';

export async function createLease(
	transport: Transport,
	input: LeaseInput,
	options?: LeaseCreateOptions,
): Promise<Lease> {
	const { tracked, renewal } = await takeBoard(transport, input, options);
	return leaseOf(tracked, renewal) as Lease; // it is active, so it has a board
}

export async function getLease(
	transport: Transport,
	id: string,
	given?: LeaseAttachOptions,
	usual = { renew: false },
): Promise<AnyLease> {
	const read = readCallOptions(given, { renew: flag, onRenewFailed: callback });
	const { renew = usual.renew, onRenewFailed, ...options } = read;
	const seen = await requestLease(transport, { method: 'GET', path: leasePath(id), options });
	const tracked = new TrackedLease(transport, seen, { isAttached: true });
	const renewal = new Renewal(tracked, onRenewFailed);
	if (renew) renewal.start();
	return leaseOf(tracked, renewal);
}

function leaseOf(tracked: TrackedLease, renewal: Renewal): AnyLease {
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
class HeldLease implements Pick<AnyLease, Exclude<keyof AnyLease, keyof TrackedLease['record']>> {
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
			{ raw: flag, flashOffset: ofType('string'), onProgress: callback },
		);
	}

	async erase(options?: ActionOptions) {
		return await this.#carryOut({ action: 'erase' }, options);
	}

	async reset(options?: ActionOptions) {
		return await this.#carryOut({ action: 'reset' }, options);
	}

	async power(state: 'on' | 'off' | 'cycle', options?: ActionOptions) {
		if (!['on', 'off', 'cycle'].includes(state)) {
			throw new InputError([{ path: 'state', message: 'must be on, off or cycle' }]);
		}
		return await this.#carryOut({ action: `power_${state}` }, options);
	}

	async #carryOut(
		wanted: WantedAction,
		options: ActionOptions = {},
		onChange?: (action: LeaseAction) => void,
	) {
		return await this.#act(
			async (signal) => await carryOut(this.#lease, wanted, { ...options, signal }, onChange),
			options,
		);
	}

	/** An expectation after an action must not match what was shown before its output. */
	async #act<Options extends ActionOptions>(
		work: (signal: AbortSignal) => Promise<LeaseAction>,
		options: Options,
		own?: OwnRules<Options>,
	) {
		const action = this.#lease.during(
			async (signal) => {
				const done = await work(signal);
				this.#expectations.startAt(done.consoleOffset);
				return done;
			},
			options,
			own,
		);
		return await this.#expectations.pausedDuring(action);
	}

	async run(steps: readonly ScenarioStep[], given?: ScenarioOptions) {
		const options = readWorkOptions(given, { onStep: callback, onConnection: callback });
		const parts: Parts = {
			tracked: this.#lease,
			console: this.#console,
			expectations: this.#expectations,
			reset: (...how) => this.#carryOut({ action: 'reset' }, ...how),
		};
		// The turn is taken first, so that expectations that are called later come later.
		const work = async () => await runScenario(parts, steps, options);
		return await this.#expectations.inTurn(work, options.signal);
	}

	async drivePin(pin: string, volts: number | null, options?: RequestOptions) {
		return await drivePin(this.#lease, { pin, volts }, options);
	}

	async share(email: string, given: { access: string }, options?: RequestOptions) {
		return await share(this.#lease, email, given, options);
	}

	async unshare(email: string, options?: RequestOptions) {
		await unshare(this.#lease, email, options);
	}

	async leave(options?: RequestOptions) {
		await leave(this.#lease, options);
	}

	async shares(options?: RequestOptions) {
		return await listShares(this.#lease, options);
	}

	async actions(options?: RequestOptions) {
		return await listActions(this.#lease, options);
	}

	async refresh(options?: RequestOptions) {
		await this.#lease.refresh(options);
		return this.#lease.record;
	}

	async renew(renewal: LeaseDuration = {}, options?: RequestOptions) {
		const minutes = readRenewal(renewal);
		const renew = (signal: AbortSignal) =>
			this.#renewal.renew(minutes, { ...options, signal, idempotencyKey: uniqueKey() });
		return await this.#lease.during(renew, { signal: options?.signal });
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

keepCallers(HeldLease.prototype);
