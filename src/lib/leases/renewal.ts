// Renews a lease while its process runs: the heartbeat that keeps the board.

import { jsonBody } from '../json-body.ts';
import { waitAfter } from '../retry.ts';
import type { RequestOptions } from '../settings.ts';
import { isTemporary, quietTimer } from '../time.ts';
import { readLease } from './records.ts';
import type { LeaseSession } from './session.ts';

const requestTimeout = 10_000;

export class Renewal {
	readonly #session: LeaseSession;
	#minutes: number;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#failures = 0;
	#repeats = false;

	constructor(session: LeaseSession) {
		this.#session = session;
		this.#minutes = session.record.minutes ?? 2;
		session.over.addEventListener('abort', () => this.stop(), { once: true });
	}

	/** Renews the lease every third of its time. */
	start() {
		this.#repeats = !this.#session.over.aborted;
		this.#schedule(this.#interval);
	}

	stop() {
		this.#repeats = false;
		clearTimeout(this.#timer);
	}

	async renew(minutes = this.#minutes, options?: RequestOptions) {
		const { transport, path } = this.#session;
		const sentAt = performance.now();
		const record = await transport.request({
			method: 'POST',
			path: `${path}/renew`,
			body: jsonBody({ minutes }),
			options,
			read: (body) => readLease(body),
		});
		this.#minutes = minutes;
		this.#failures = 0;
		this.#session.endsAt = sentAt + minutes * 60_000;
		this.#session.update(record);
		this.#schedule(this.#interval);
	}

	get #interval() {
		return (this.#minutes * 60_000) / 3;
	}

	#schedule(milliseconds: number) {
		clearTimeout(this.#timer);
		if (this.#repeats) this.#timer = quietTimer(() => void this.#beat(), milliseconds);
	}

	async #beat() {
		try {
			await this.renew(this.#minutes, { timeout: requestTimeout, maxRetries: 0 });
		} catch (error) {
			await this.#recover(error);
		}
	}

	/** The lease is lost when the service says so, or when it expires without a response. */
	async #recover(error: unknown) {
		await this.#session.explain(error);
		if (this.#session.over.aborted) return;
		const left = this.#session.endsAt - performance.now();
		if (left <= 0) this.#session.expire();
		else if (isTemporary(error)) this.#schedule(Math.min(left, waitAfter(error, ++this.#failures)));
		else this.#schedule(Math.min(left, this.#interval));
	}
}
