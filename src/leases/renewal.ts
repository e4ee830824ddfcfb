// Renews a lease while its process runs.
import { BoardAccessError } from '../errors/base.ts';
import { notify } from '../http/attempts.ts';
import { call } from '../http/call.ts';
import { isTemporary, waitFor } from '../http/outages.ts';
import { quietTimer } from '../http/signals.ts';
import type { CreateOptions } from '../settings/settings.ts';
import { readSeen } from './records.ts';
import type { TrackedLease } from './tracked-lease.ts';
import type { RenewedLease } from './types.ts';

const requestTimeout = 10_000;

const minDelay = 1_000;

export class Renewal {
	readonly lease: TrackedLease;
	readonly #onFailed: ((error: BoardAccessError) => void) | undefined;
	#minutes: number;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#failures = 0;
	/** The code of the last failure, reported once until a renewal succeeds. */
	#reported = '';
	#repeats = false;

	constructor(lease: TrackedLease, onFailed?: (error: BoardAccessError) => void) {
		this.lease = lease;
		this.#onFailed = onFailed;
		this.#minutes = lease.record.minutes ?? 2;
		lease.over.addEventListener('abort', () => this.stop(), { once: true });
	}

	start() {
		this.#repeats = !this.lease.over.aborted;
		this.#schedule(this.#delay);
	}

	stop() {
		this.#repeats = false;
		clearTimeout(this.#timer);
	}

	/** Later renewals have the same minutes. */
	async renew(minutes?: number, options?: CreateOptions) {
		const json = { minutes: minutes ?? this.#minutes };
		const renewed = await this.lease.see(
			call(this.lease.send, 'POST /v1/leases/{id}/renew', {
				ids: this.lease.ids,
				json,
				options,
				read: readSeen,
			}),
		);
		this.#minutes = minutes ?? this.#minutes;
		this.#failures = 0;
		this.#reported = '';
		this.#schedule(this.#delay);
		return renewed as RenewedLease; // the service adds the field to the response of a renewal
	}

	/** A third of the time that is left, so that several attempts fit into it. */
	get #delay() {
		const left = this.lease.endsAt - performance.now();
		const whole = this.#minutes * 60_000;
		return Math.max(left > 0 ? Math.min(left, whole) / 3 : whole / 3, minDelay);
	}

	#schedule(milliseconds: number) {
		clearTimeout(this.#timer);
		if (this.#repeats) this.#timer = quietTimer(() => void this.#beat(), milliseconds);
	}

	async #beat() {
		try {
			await this.renew(undefined, { timeout: requestTimeout, maxRetries: 0 });
		} catch (error) {
			await this.#recover(error);
		}
	}

	/** Goes on until the service says that the lease has ended. */
	async #recover(error: unknown) {
		await this.lease.explain(error);
		if (!this.#repeats) return;
		if (error instanceof BoardAccessError && error.code !== this.#reported) {
			this.#reported = error.code;
			notify(this.#onFailed, error);
		}
		const delay = this.#delay;
		this.#schedule(isTemporary(error) ? Math.min(delay, waitFor(error, ++this.#failures)) : delay);
	}
}
