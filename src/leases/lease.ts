// A lease as callers use it.
import * as z from 'zod/mini';
import { leaseShareFields } from '../contract/lease.ts';
import { keepCallers } from '../errors/caller.ts';
import { InputError } from '../errors/errors.ts';
import { call, ignored } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import type { Transport } from '../http/request.ts';
import { passResponse } from '../http/response.ts';
import { readInput, recordReader } from '../records/records.ts';
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
import { openChannel } from './channel.ts';
import type { BoardChannel, ChannelOptions, SerialChannel } from './channel-types.ts';
import { BoardConsole } from './console/console.ts';
import { Expectations } from './console/expectations.ts';
import { ConsoleFeed } from './console/feed.ts';
import { LeaseNotSharedError } from './errors.ts';
import { once, uniqueKey } from './helpers.ts';
import { readRenewal } from './input.ts';
import { readSeen } from './records.ts';
import { Renewal } from './renewal.ts';
import { runScenario, type ScenarioLease } from './scenario.ts';
import type { ScenarioOptions, ScenarioStep } from './scenario-types.ts';
import { TrackedLease } from './tracked-lease.ts';
import type {
	ActionOptions,
	AnyLease,
	Firmware,
	FlashOptions,
	LeaseAction,
	LeaseAttachOptions,
	LeaseDuration,
	LeaseShare,
} from './types.ts';

const readShare = recordReader(leaseShareFields, { complete: true });
const access = { access: z.string() };

export async function getLease(
	transport: Transport,
	id: string,
	given?: LeaseAttachOptions,
	usual = { renew: false },
): Promise<AnyLease> {
	const read = readCallOptions(given, { renew: flag, onRenewFailed: callback });
	const { renew = usual.renew, onRenewFailed, ...options } = read;
	const seen = await call(transport.request, 'GET /v1/leases/{id}', {
		ids: { id },
		isPatient: true,
		options,
		read: readSeen,
	});
	const tracked = new TrackedLease(transport, seen, { isAttached: true });
	const renewal = new Renewal(tracked, onRenewFailed);
	if (renew) renewal.start();
	return leaseOf(renewal);
}

export function leaseOf(renewal: Renewal): AnyLease {
	const { lease: tracked } = renewal;
	const lease = Object.assign(new HeldLease(renewal), tracked.record);
	tracked.onRecord = (record) => {
		Object.assign(lease, record);
		passResponse(record, lease);
	};
	tracked.onRecord(tracked.record);
	return lease;
}

/** Gets the fields of the record, so that printing it shows them. */
class HeldLease implements Pick<AnyLease, Exclude<keyof AnyLease, keyof TrackedLease['record']>> {
	readonly #lease: TrackedLease;
	readonly #renewal: Renewal;
	readonly #expectations: Expectations;
	readonly #console: BoardConsole;

	constructor(renewal: Renewal) {
		const { lease } = renewal;
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
			{ raw: flag, flashOffset: ofType('string'), name: ofType('string'), onProgress: callback },
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

	/** Expectations after the action match only output from its beginning on. */
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
		const lease: ScenarioLease = {
			tracked: this.#lease,
			console: this.#console,
			expectations: this.#expectations,
			reset: (...how) => this.#carryOut({ action: 'reset' }, ...how),
		};
		const work = async () => await runScenario(lease, steps, options);
		return await this.#expectations.inTurn(work, options.signal);
	}

	async drivePin(pin: string, volts: number | null, options?: RequestOptions) {
		return await drivePin(this.#lease, { pin, volts }, options);
	}

	channel(kind: 'serial', options?: ChannelOptions): Promise<SerialChannel>;
	channel(kind: 'debug', options?: Omit<ChannelOptions, 'port'>): Promise<BoardChannel>;
	async channel(kind: 'serial' | 'debug', options?: ChannelOptions): Promise<SerialChannel> {
		return await openChannel(this.#lease, kind, options);
	}

	async share(email: string, given: { access: string }, options?: RequestOptions) {
		return await call(this.#lease.send, 'PUT /v1/leases/{id}/shares', {
			ids: this.#lease.ids,
			json: { email: checkedEmail(email), ...readInput(access, given, access) },
			options: once(options),
			read: readShare,
		});
	}

	async unshare(email: string, options?: RequestOptions) {
		await call(this.#lease.send, 'POST /v1/leases/{id}/shares/remove', {
			ids: this.#lease.ids,
			json: { email: checkedEmail(email) },
			read: ignored,
			options: once(options),
		});
	}

	async leave(options?: RequestOptions) {
		try {
			await call(this.#lease.send, 'DELETE /v1/leases/{id}/shares/own', {
				ids: this.#lease.ids,
				read: ignored,
				options,
			});
		} catch (error) {
			// The response to an earlier attempt may have been lost.
			if (!(error instanceof LeaseNotSharedError)) throw error;
		}
	}

	async shares(options?: RequestOptions): Promise<LeaseShare[]> {
		const { ids, send } = this.#lease;
		const route = 'GET /v1/leases/{id}/shares';
		return await createListing(send, { route, ids, filters: {}, read: readShare, options });
	}

	async actions(options?: RequestOptions) {
		return await this.#lease.actions(options);
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

function checkedEmail(email: string) {
	if (typeof email === 'string' && email.includes('@')) return email;
	throw new InputError([{ path: 'email', message: 'must be an email address' }]);
}
